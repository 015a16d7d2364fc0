// So that memory can be measured without what is garbage already: for a line on standard input,
// collect it and answer.

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
