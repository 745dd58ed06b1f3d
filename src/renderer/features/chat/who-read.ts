import type { Message } from '../../../shared/conversation.ts'
import { treeOf } from '../../../shared/conversation-tree.ts'
import type { Privacy } from '../../../shared/privacy.ts'

/** Who could read a message that was sent as part of a question, and the receipt that records it. */
export interface WhoRead {
  readonly privacy: Privacy
  readonly receiptId: string | undefined
}

const rank: Readonly<Record<Privacy, number>> = { refused: 1, sealed: 2, relayed: 3, forwarded: 4 }

/**
 * For each question, who could read it. For each reply, who could read it later, if that is more than at first. A
 * question is sent with every question below it, so the service could read it as soon as one of those was visible, and
 * a provider as soon as one was relayed.
 */
function whoReadAll(messages: readonly Message[]): ReadonlyMap<string, WhoRead> {
  const tree = treeOf(messages)
  const read = new Map<string, WhoRead>()
  for (const { id, role, privacy, receiptId, jobId } of messages) {
    if (role !== 'assistant' || privacy === undefined) continue
    for (let at = tree.parentOf(id); at !== null; at = tree.parentOf(at)) {
      // An image model gets only its prompt, and no other model gets that.
      const isPrompt = tree.get(at)?.jobId !== undefined
      if (jobId !== undefined) {
        if (isPrompt) read.set(at, { privacy, receiptId })
        break
      }
      if (isPrompt) continue
      const before = read.get(at)
      // The messages above have at least this many readers already.
      if (before && rank[before.privacy] >= rank[privacy]) break
      read.set(at, { privacy, receiptId })
      // A sealed or refused answer lets no one else read the messages before it.
      if (rank[privacy] < rank.relayed) break
    }
  }
  return read
}

const known = new WeakMap<readonly Message[], ReadonlyMap<string, WhoRead>>()

/** Computed once for each change of the messages. */
export function whoRead(messages: readonly Message[] | undefined, id: string): WhoRead | undefined {
  if (!messages) return undefined
  let read = known.get(messages)
  if (!read) known.set(messages, (read = whoReadAll(messages)))
  return read.get(id)
}
