#include "cli/explain/words.h"

const struct sl_convention sl_table_words[] = {
    {"launch", "number of a kernel launch of the run, from 0"},
    {"kernel", "function that was launched"},
    {"cycles", "cycles of the launches, of all together"},
    {"warp instrs", "instructions that warps executed; of a warp's paths, each pass counts"},
    {"instructions", "instructions that warps executed, in compare"},
    {"thread instrs", "active lanes of the warp instructions, added up"},
    {"IPC", "thread instructions per cycle; it can reach the number of lanes"},
    {"DRAM beats", "units of data read from and written to DRAM"},
    {"DRAM lines", "lines read from and written to DRAM"},
    {"retries", "warp instructions that found their unit busy and were issued again"},
    {"check", "how a benchmark ended: ok, WRONG, FAULT, LIMIT or ERROR"},
    {"M cycles/s", "simulation speed: millions of cycles of the multiprocessor per second of this computer"},
    {"M instrs/s", "simulation speed without timing: millions of thread instructions per second of this computer"},
    {"outcome", "how a run ended: passed, check failed, fault, limit or error"},
    {"ratio",
     "cycles by those of the same program on the first machine; on one machine, by those of the first program"},
    {"lane utilisation", "thread instructions by what they would be with all lanes active in every warp instruction"},
    {"memory transactions", "accesses of warps as the memory gets them, coalesced: lines of the cache or, without one, "
                            "pieces of DRAM of one beat "
                            "or several"},
    {"ours", "what simtlab counted"},
    {"RTL", "what the published RTL counted"},
    {"recorded", "what was recorded: of the RTL, or of its authors' simulator"},
    {"difference", "ours without the RTL's"},
    {"difference %", "ours without what was recorded, in percent of that"},
    {0},
};

const struct sl_convention sl_field_words[] = {
    {"warp", "threads that execute one instruction together, a lane each"},
    {"lane", "the place of a thread in its warp"},
    {"block", "threads that share memory and barriers; its warps are on one core"},
    {"uniform", "of a value: the same in all lanes of a warp"},
    {"affine",
     "of a value: it grows by the same amount from each lane of a warp to the next, as addresses of neighbours do"},
    {"general", "of a value: neither uniform nor affine"},
    {"occupancy",
     "the warps that are on a core at a time, of those it has room for. What limits it is the core's warps, "
     "shared memory, registers, block slots, or the blocks of the grid"},
    {"divergence", "lanes of a warp take different ways at a branch, so that some wait while others execute"},
    {"convergence", "lanes of a warp that had diverged execute together again"},
    {"coalescing", "accesses of a warp's lanes to words next to each other become one memory transaction"},
    {"bank conflict", "lanes of a warp ask one bank of the scratchpad for different words, which it serves in turn"},
    {"barrier", "a place where the warps of a block wait for each other"},
    {0},
};

const struct sl_convention sl_outcome_words[] = {
    {"passed", "the program ended, and said nothing else of its own check (in bench: ok)"},
    {"ok", "passed, in bench"},
    {"check failed", "the program ended with a status other than 0, or printed a line that says so (in bench: WRONG)"},
    {"WRONG", "check failed, in bench"},
    {"fault", "the simulated program did something that the machine cannot do (in bench: FAULT)"},
    {"limit", "the limit of --max-cycles was reached first (in bench: LIMIT)"},
    {"error", "the program could not be run (in bench: ERROR)"},
    {0},
};
