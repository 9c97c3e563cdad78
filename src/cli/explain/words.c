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
    {"ratio", "cycles by those of the first run"},
    {"lane utilisation", "thread instructions by what they would be with all lanes active in every warp instruction"},
    {"memory transactions", "transactions with the memory that the machine's caches, if any, are part of"},
    {"ours", "what simtlab counted"},
    {"RTL", "what the published RTL counted"},
    {"recorded", "what was recorded: of the RTL, or of its authors' simulator"},
    {"difference", "ours without the RTL's"},
    {"difference %", "ours without what was recorded, in percent of that"},
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
