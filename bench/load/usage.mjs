// CPU time of processes and cores so far, in seconds, as counted by the kernel.

import { readFileSync } from 'node:fs'

// The kernel counts in hundredths of a second.
const TICKS = 100
const QUIET = 0.2

function ofProcess(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

// All work on a core, and the time that the hypervisor gave to another machine.
function busy(line) {
  const [user, nice, system, , , irq, softirq, stolen] = line.split(/\s+/).slice(1).map(Number)
  return (user + nice + system + irq + softirq + stolen) / TICKS
}

export function usage(serverPids) {
  const own = process.cpuUsage()
  const [first, second] = readFileSync('/proc/stat', 'utf8').split('\n').slice(1, 3).map(busy)
  return {
    server: serverPids.map(ofProcess).reduce((sum, one) => sum + one),
    generator: (own.user + own.system) / 1e6,
    serverCore: first,
    generatorCore: second,
  }
}

export const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

// Wait until a server has finished the work of opening or closing sockets.
export async function quiet(serverPids, longest = 5) {
  const worked = () => serverPids.map(ofProcess).reduce((sum, one) => sum + one)
  for (let waited = 0; waited < longest; waited += 0.1) {
    const before = worked()
    await pause(0.1)
    if (worked() - before <= QUIET * 0.1) return
  }
}
