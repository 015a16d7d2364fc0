// The schema of a match's state, which Colyseus synchronises between server and clients.

import { schema, t } from '@colyseus/schema'

export const Tower = schema(
  { tower: t.array('uint8'), turn: t.uint8(), winner: t.uint8() },
  'Tower',
)
