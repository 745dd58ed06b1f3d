import { withPassages, type QuotedPassage } from './passage-text.ts'
import type { ShownMessage } from './conversation-tree.ts'
/** UTF-16 units of a summary that replaces messages. */
export const MAX_SUMMARY = 20_000
/** Tokens of a summary that a model is asked for. */
export const SUMMARY_TOKENS = 1500

/** Messages of a conversation that a model no longer receives. They stay in the conversation. */
export interface ContextCut {
  /** The last message that isn't sent. On a branch without it, everything is sent. */
  readonly messageId: string
  /** Sent instead of the messages. */
  readonly summary?: string | undefined
}

interface PathMessage {
  /** Absent for a message that isn't stored yet. */
  readonly id?: string
  readonly role: 'user' | 'assistant' | 'system'
  readonly text: string
  /** Of a question, which are sent before its text. */
  readonly passages?: readonly QuotedPassage[] | undefined
  /** Of a prompt for an image, and of the image. */
  readonly jobId?: string | undefined
}

/**
 * The messages of a branch that a model receives, each question after its passages. An image and its prompt went to
 * an image model, and aren't among them. The summary is part of the first question after the cut: some models refuse two
 * messages of one role in a row, and an instruction would give the text of earlier messages more authority.
 *
 * @param path from the beginning of the branch
 */
export function sentMessages<M extends PathMessage>(path: readonly M[], cut: ContextCut | undefined): M[] {
  const at = cut ? path.findIndex(({ id }) => id === cut.messageId) : -1
  const sent = path
    .slice(at + 1)
    .filter(({ jobId }) => jobId === undefined)
    .map(withSources)
  if (!cut || at < 0) return sent
  const first = sent.findIndex(({ role }) => role === 'user')
  const question = sent[first]
  if (cut.summary === undefined || !question) return sent
  return sent.with(first, { ...question, text: withSummary(cut.summary, question.text) })
}

/** Every way by which a branch is sent, counted or shown before a consent uses this, so that none leaves passages out. */
function withSources<M extends PathMessage>(message: M): M {
  const { passages = [], text } = message
  return passages.length === 0 ? message : { ...message, text: withPassages(passages, text) }
}

/** @returns the text of a question with the summary before it */
export function withSummary(summary: string, text: string): string {
  return `Summary of our earlier conversation:\n\n${summary}\n\n---\n\n${text}`
}

/** The messages of the branch that a model receives. The summary that it receives instead of the others isn't among them. */
export function shownAfterCut(
  shown: readonly ShownMessage[],
  cut: ContextCut | undefined,
): readonly ShownMessage[] {
  const at = cut ? shown.findIndex(({ message }) => message.id === cut.messageId) : -1
  const sent = at < 0 ? shown : shown.slice(at + 1)
  return sent.some(isOfImage) ? sent.filter((one) => !isOfImage(one)) : sent
}

function isOfImage({ message: { jobId } }: ShownMessage): boolean {
  return jobId !== undefined
}
