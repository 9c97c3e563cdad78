/* Exceptions of SDK samples */
#ifndef SIMTLAB_CUDA_EXCEPTION_H
#define SIMTLAB_CUDA_EXCEPTION_H

#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <stdlib.h>

template <class Std> class Exception : public Std
{
public:
  explicit Exception(const std::string &text) : Std(text)
  {
  }
  static void throw_it(const char *file, int line, const char *detail = "-")
  {
    std::ostringstream text;
    text << file << ":" << line << ": " << detail;
    throw Exception(text.str());
  }
  static void throw_it(const char *file, int line, const std::string &detail)
  {
    throw_it(file, line, detail.c_str());
  }
};
template <class E> inline void handleException(const E &e)
{
  std::cerr << e.what() << std::endl;
  exit(EXIT_FAILURE);
}
#define RUNTIME_EXCEPTION(text) Exception<std::runtime_error>::throw_it(__FILE__, __LINE__, text)
#define LOGIC_EXCEPTION(text) Exception<std::logic_error>::throw_it(__FILE__, __LINE__, text)
#define RANGE_EXCEPTION(text) Exception<std::range_error>::throw_it(__FILE__, __LINE__, text)

#endif
