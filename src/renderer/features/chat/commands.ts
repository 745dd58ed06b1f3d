import { go } from '../../ui/route.ts'
import type { Command } from '../../ui/shell/palette-store.ts'

export const chatCommands: readonly Command[] = [
  { id: 'chat/new', title: 'New conversation', also: 'chat write', run: () => go({ room: 'chat' }) },
]
