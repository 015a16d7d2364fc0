// A match's state, as Colyseus keeps server and clients in step about it.

import { schema, t } from '@colyseus/schema'

export const Tower = schema(
  { tower: t.array('uint8'), turn: t.uint8(), winner: t.uint8() },
  'Tower',
)
