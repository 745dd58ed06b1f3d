import type { Message } from '../../../shared/conversation.ts'
import { treeOf } from '../../../shared/conversation-tree.ts'
import type { Privacy } from '../../../shared/privacy.ts'

/** Who could read a message that was sent along with a question, and the receipt that says so. */
export interface WhoRead {
  readonly privacy: Privacy
  readonly receiptId: string | undefined
}

const rank: Readonly<Record<Privacy, number>> = { refused: 1, sealed: 2, forwarded: 3 }

/**
 * Of each question, what became of it; and of each sealed answer that was sent on in the open later. A question goes out with
 * every answer that stands below it, so the service could read it as soon as one of those was asked for in the open.
 */
function whoReadAll(messages: readonly Message[]): ReadonlyMap<string, WhoRead> {
  const tree = treeOf(messages)
  const read = new Map<string, WhoRead>()
  for (const { id, role, privacy, receiptId } of messages) {
    if (role !== 'assistant' || privacy === undefined) continue
    for (let at = tree.parentOf(id); at !== null; at = tree.parentOf(at)) {
      const before = read.get(at)
      if (before && rank[before.privacy] >= rank[privacy]) {
        // All above are known to have been read by as many.
        if (privacy === 'forwarded') break
      } else {
        read.set(at, { privacy, receiptId })
      }
      // Of what came before, a sealed or refused answer says nothing that is news.
      if (privacy !== 'forwarded') break
    }
  }
  return read
}

const known = new WeakMap<readonly Message[], ReadonlyMap<string, WhoRead>>()

/** Once for each change of the messages. */
export function whoRead(messages: readonly Message[] | undefined, id: string): WhoRead | undefined {
  if (!messages) return undefined
  let read = known.get(messages)
  if (!read) known.set(messages, read = whoReadAll(messages))
  return read.get(id)
}
