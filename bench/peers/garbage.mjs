// Runs the garbage collector for every line on standard input and answers when done, so that garbage
// doesn't count when memory is measured.

import { createInterface } from 'node:readline'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export function collectWhenAsked() {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  createInterface({ input: process.stdin }).on('line', () => {
    collect()
    console.log('collected')
  })
}
