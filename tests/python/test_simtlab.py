"""The package simtlab on small programs. BUILD is the build folder, SOURCE the sources."""
import os
import subprocess
import sys
import tempfile
import unittest

import numpy

BUILD, SOURCE = os.environ["BUILD"], os.environ["SOURCE"]
os.environ["SIMTLAB_LIBRARY"] = os.path.join(BUILD, "libsimtlab.so")
os.environ["SIMTLAB_COMMAND"] = os.path.join(BUILD, "simtlab")
sys.path.insert(0, os.path.join(SOURCE, "python"))

import simtlab

VECADD = os.path.join(BUILD, "bench", "VecAdd.elf")
PTX = """
.version 6.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 to, .param .u32 what, .param .f32 unused)
{
  .reg .u32 %r<4>; .reg .u64 %d<4>;
  ld.param.u64 %d1, [to];
  ld.param.u32 %r1, [what];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %d2, %r2, 4;
  add.u64 %d3, %d1, %d2;
  add.u32 %r3, %r1, %r2;
  st.global.u32 [%d3], %r3;
  ret;
}
"""


def command_cycles(*arguments):
    """The cycles that the command counts."""
    import json
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.json")
        subprocess.run([os.environ["SIMTLAB_COMMAND"], "run", "-q", "--stats", path, *arguments], check=True,
                       stdout=subprocess.DEVNULL)
        with open(path) as file:
            return json.load(file)["totals"]["counters"]["cycles"]["value"]


class Programs(unittest.TestCase):
    def test_a_run_counts_as_the_command_does(self):
        device = simtlab.Machine("simtight", lanes=16, dram__latency=50).device()
        self.assertEqual(device.run(simtlab.Program(VECADD), "small"), 0)
        expected = command_cycles("-m", "simtight", "-s", "lanes=16", "-s", "dram.latency=50", VECADD, "small")
        counters = device.counters()
        self.assertEqual(counters["cycles"].sum(), expected)
        self.assertEqual(counters.attrs["units"]["cycles"], "cycles")
        self.assertIn(b"PASSED", bytes(device.output))

    def test_instructions_come_in_batches(self):
        device = simtlab.Machine("simtight").device(observe=True)
        device.load(simtlab.Program(VECADD), "small")
        batches = list(device.commits(cycles=5000))
        self.assertGreater(len(batches), 1)
        commits = numpy.concatenate(batches)
        lanes = sum(bin(int(mask)).count("1") for mask in commits["active"])
        self.assertEqual(lanes, device.counters()["thread_instrs"].sum())
        with self.assertRaises(simtlab.UsageError):
            simtlab.Machine("simtight").device().load(simtlab.Program(VECADD), "small").commits()

    def test_filters_select_events(self):
        device, program = simtlab.Machine("simtight").device(observe=True), simtlab.Program(VECADD)

        def events(iterator, **options):
            device.load(program, "small")
            return numpy.concatenate(list(iterator(**options)))
        commits, accesses, all_of_them = events(device.commits), events(device.accesses), events(device.events)
        self.assertEqual(len(all_of_them), len(commits) + len(accesses))
        self.assertEqual(len(commits), device.counters()["warp_instrs"].sum())
        self.assertTrue((commits["kind"] == simtlab.KINDS["commit"]).all() and (accesses["width"] == 4).all())
        same = {"warp": commits[commits["warp"] == 3], "pc": commits[commits["pc"] == commits["pc"][0]]}
        self.assertTrue((events(device.commits, warp=3) == same["warp"]).all())
        self.assertTrue((events(device.commits, pc=int(commits["pc"][0])) == same["pc"]).all())
        self.assertEqual(len(events(device.commits, every=10)), -(-len(commits) // 10))
        stores = events(device.accesses, kinds="store")
        self.assertEqual(set(stores["kind"]), {simtlab.KINDS["store"]})
        self.assertEqual(len(stores), (accesses["kind"] == simtlab.KINDS["store"]).sum())
        with self.assertRaisesRegex(simtlab.UsageError, "stroe.*commit, load, store, atomic"):
            device.accesses(kinds="stroe")

    def test_a_checkpoint_restores_the_run(self):
        machine, program, times = simtlab.Machine("simtight"), simtlab.Program(VECADD), []
        first = machine.device().load(program, "small")
        self.assertTrue(first.run_for(8000))
        with tempfile.TemporaryDirectory() as folder:
            path, data = os.path.join(folder, "checkpoint"), first.save()
            first.save(path)
            first.run()
            for checkpoint in (path, data):
                second = machine.device().load(program, "small").restore(checkpoint)
                second.run()
                times.append(second.counters()["cycles"].sum())
            with self.assertRaisesRegex(simtlab.UsageError, "different keys"):
                simtlab.Machine("simtight", lanes=16).device().load(program, "small").restore(path)
        self.assertEqual(times, 2 * [first.counters()["cycles"].sum()])

    def test_a_profile_is_a_frame(self):
        machine, program = simtlab.Machine("simtight", lanes=16), simtlab.Program(VECADD)
        device = machine.device()
        device.run(program, "small")
        for by in ("line", "instruction"):
            frame = simtlab.profile(program, "small", machine=machine, by=by)
            reasons = [name for name in frame.columns if name.startswith("cycles.")]
            self.assertEqual(frame["cycles"].sum(), device.counters()["cycles"].sum())
            self.assertTrue((frame[reasons].sum(axis=1) == frame["cycles"]).all())
        with self.assertRaisesRegex(simtlab.UsageError, "none.elf"):
            simtlab.profile("none.elf")

    def test_an_exception_in_a_callback_ends_the_run(self):
        def interrupted():
            yield from b"1"
            raise KeyboardInterrupt
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "read.c")
            with open(source, "w") as file:
                file.write('#include <stdio.h>\n#include "simt.h"\nint main(void)\n{\n  while (getchar() != 46)\n    ;\n'
                           "  return 0;\n}\n")
            program = simtlab.compile(source, output=os.path.join(folder, "read.elf"))
            self.assertEqual(simtlab.Machine("simtight").device(input=b"12.").run(program), 0)
            with self.assertRaisesRegex(simtlab.Fault, "input has ended"):
                simtlab.Machine("simtight").device(input=b"12").run(program)
            with self.assertRaises(KeyboardInterrupt):
                simtlab.Machine("simtight").device(input=interrupted()).run(program)

    def test_registers_are_by_lane_and_number(self):
        device = simtlab.Machine("simtight").device()
        device.load(simtlab.Program(VECADD), "small")
        device.run_for(100000)
        registers = device.registers(0)
        self.assertEqual(registers.shape, (32, 32))
        self.assertTrue((registers[:, 0] == 0).all())
        with self.assertRaises(IndexError):
            device.registers(64)

    def test_machines_are_listed_and_wrong_keys_refused(self):
        self.assertIn("sm7", simtlab.machines())
        with self.assertRaisesRegex(simtlab.UsageError, "dram.latncy"):
            simtlab.Machine("simtight", dram__latncy=1)
        with self.assertRaises(simtlab.UsageError) as caught:
            simtlab.Program(os.path.join(SOURCE, "README.md"))
        self.assertEqual(caught.exception.status, 2)

    def test_a_compiled_program_with_a_fault_raises_it_with_its_place(self):
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "bad.c")
            with open(source, "w") as file:
                file.write('#include "simt.h"\nSIMT_KERNEL(bad, (int *, p))\n{\n  p[threadIdx.x] = 1;\n}\n'
                           "int main(void)\n{\n  return simt_launch(bad, dim3(1), dim3(32), .p = 0) != SIMT_OK;\n}\n")
            program = simtlab.compile(source, output=os.path.join(folder, "bad.elf"), options=["-g"])
            with self.assertRaisesRegex(simtlab.Fault, "bad.c:4") as caught:
                simtlab.Machine("simtight").device().run(program)
            self.assertEqual(caught.exception.place["kind"], "address")
            self.assertEqual(caught.exception.place["line"], 4)
            with self.assertRaises(simtlab.UsageError):
                simtlab.compile(os.path.join(folder, "none.c"), output=os.path.join(folder, "none.elf"))

    def test_a_limit_is_an_exception(self):
        with self.assertRaises(simtlab.LimitReached):
            simtlab.Machine("simtight").device(max_cycles=1000).run(simtlab.Program(VECADD), "small")


class Kernels(unittest.TestCase):
    def test_a_kernel_of_ptx_writes_what_numpy_reads(self):
        for fast in (False, True):
            device = simtlab.Machine("sm7-1").device(ptx=True, fast=fast)
            module = device.module(text=PTX)
            self.assertEqual([p[0] for p in module.parameters("add")], ["to", "what", "unused"])
            buffer = device.alloc(64 * 4)
            device.write(buffer, numpy.zeros(64, dtype="u4"))
            device.launch(module, "add", 1, 64, buffer, numpy.uint32(5), 0.5)
            self.assertTrue((device.read(buffer, 64) == numpy.arange(64) + 5).all())
            view = device.memory(buffer, 64)
            self.assertTrue((numpy.asarray(view) == numpy.arange(64) + 5).all())
            self.assertFalse(numpy.asarray(view).flags.writeable)
            device.launch(module, "add", 1, 64, buffer, numpy.uint32(6), 0.5)
            with self.assertRaisesRegex(simtlab.UsageError, "make a new one"):
                view[0]
            self.assertEqual(device.memory(buffer, 64)[3], 9)
            with self.assertRaisesRegex(simtlab.UsageError, "takes 3 arguments, not 1"):
                device.launch(module, "add", 1, 64, buffer)
            with self.assertRaisesRegex(simtlab.UsageError, "has 4 bytes, not 8"):
                device.launch(module, "add", 1, 64, buffer, numpy.uint64(5), 0.5)
            with tempfile.TemporaryDirectory() as folder:
                path, data = os.path.join(folder, "checkpoint"), device.save()
                device.save(path)
                device.launch(module, "add", 1, 64, buffer, numpy.uint32(7), 0.5)
                after = device.counters()
                for checkpoint in (path, data):
                    view = device.memory(buffer, 64)
                    device.restore(checkpoint)
                    with self.assertRaisesRegex(simtlab.UsageError, "make a new one"):
                        view[0]
                    self.assertEqual(device.memory(buffer, 64)[3], 9)
                    device.launch(module, "add", 1, 64, buffer, numpy.uint32(7), 0.5)
                    self.assertEqual(device.memory(buffer, 64)[3], 10)
                    self.assertTrue(device.counters().equals(after))
            device.release(buffer)
            with self.assertRaises(simtlab.Fault):
                device.launch(module, "add", 1, 64, 16, 5, 0.5)
            observed = simtlab.Machine("sm7-1").device(ptx=True, fast=fast, observe=True)
            module, buffer = observed.module(text=PTX), observed.alloc(2 * 64 * 4)
            observed.start(module, "add", 2, 64, buffer, 5, 0.5)
            accesses = numpy.concatenate(list(observed.accesses("store")))
            self.assertEqual(sorted(map(tuple, accesses["block"])), 2 * [(0, 0, 0)] + 2 * [(1, 0, 0)])
            self.assertTrue((accesses["line"] == 1 + PTX[:PTX.index("st.global")].count("\n")).all())
            self.assertEqual(set(accesses["address"]), {buffer, buffer + 32 * 4})
            with self.assertRaises(KeyError):
                module.parameters("none")


class Studies(unittest.TestCase):
    def test_a_study_is_a_frame(self):
        with tempfile.TemporaryDirectory() as folder:
            study, database = os.path.join(folder, "study.yaml"), os.path.join(folder, "study.db")
            with open(study, "w") as file:
                file.write("study: s\nmachines: simtight\nkeys: {lanes: [8, 16]}\n"
                           "programs: [{elf: %s, sizes: small}]\n" % VECADD)
            self.assertEqual(simtlab.sweep(study, database), database)
            frame = simtlab.runs(database)
            self.assertEqual(sorted(frame["lanes"].astype(int)), [8, 16])
            self.assertTrue((frame["outcome"] == "passed").all())
            self.assertTrue((frame["thread_instrs"] > 0).all())
            eight = frame[frame["lanes"].astype(int) == 8].iloc[0]
            self.assertEqual(eight["cycles"], command_cycles("-m", "simtight", "-s", "lanes=8", VECADD, "small"))
            same = {"study": "s", "machines": "simtight", "keys": {"lanes": [8, 16]},
                    "programs": [{"elf": VECADD, "sizes": "small"}]}
            self.assertEqual(len(simtlab.runs(simtlab.sweep(same, database))), 2)
            table = simtlab.query(database, by="lanes", metric="cycles")
            self.assertEqual(table.set_index("lanes")["cycles"][8], eight["cycles"])
            with open(study, "w") as file:
                file.write("study: [\n")
            with self.assertRaisesRegex(simtlab.UsageError, "study.yaml:"):
                simtlab.sweep(study, database)
            with self.assertRaisesRegex(simtlab.UsageError, "laness"):
                simtlab.query(database, by="laness")
            with self.assertRaisesRegex(simtlab.UsageError, "none.db"):
                simtlab.runs(os.path.join(folder, "none.db"))


if __name__ == "__main__":
    unittest.main()
