import { useDeferredValue, useMemo } from 'react'
import type { Attachment } from '../../../shared/attachment.ts'
import { shownAfterCut, type ContextCut } from '../../../shared/context-cut.ts'
import type { PromptPart } from '../../../shared/contract/chat.ts'
import type { ShownMessage } from '../../../shared/conversation-tree.ts'
import { MOST_COUNTED } from '../../../shared/token-estimate.ts'
import { NEW } from './chat-store.ts'
import { attachedTokens, historyTokens, tokensOf } from './estimate.ts'
import { useTokenCount } from './use-token-count.ts'

export interface PromptDraft {
  /** The conversation, or NEW. */
  readonly draft: string
  readonly shown: readonly ShownMessage[]
  readonly systemPrompt: string
  /** The cut of the chat, if any. */
  readonly cut?: ContextCut | undefined
  readonly text: string
  /** Files of the draft. */
  readonly attached: readonly Attachment[]
}

/** The tokens of the prompt that the draft would send. Nothing is counted before something is written or attached. */
export function usePromptTokens({ draft, shown, systemPrompt, cut, text, attached }: PromptDraft): number {
  const written = useDeferredValue(text)
  const fileIds = attached.map(({ id }) => id).join(' ')
  const isWritten = written.trim() !== ''
  const counts = isWritten || fileIds !== ''
  const leaf = shown.at(-1)?.message
  const history = useMemo(
    () => sentTokens(shown, cut) + (systemPrompt === '' ? 0 : tokensOf(systemPrompt)),
    [shown, systemPrompt, cut],
  )
  const branch = useMemo(
    () => (counts ? historyPart(draft, leaf?.id, systemPrompt) : undefined),
    [counts, draft, leaf?.id, systemPrompt],
  )
  const files = useMemo(() => (fileIds === '' ? undefined : { attachmentIds: fileIds.split(' ') }), [fileIds])
  const message = useMemo(
    () => (isWritten && written.length <= MOST_COUNTED ? { text: written } : undefined),
    [isWritten, written],
  )
  return (
    useTokenCount(branch, history, {
      subject: `${draft} history ${cut?.messageId ?? ''}`,
      version: `${leaf?.state ?? ''} ${systemPrompt} ${cut?.summary ?? ''}`,
    }) +
    useTokenCount(files, attachedTokens(attached), { subject: `${draft} ${fileIds}` }) +
    useTokenCount(message, tokensOf(written), { subject: `${draft} text` })
  )
}

function sentTokens(shown: readonly ShownMessage[], cut: ContextCut | undefined): number {
  const sent = shownAfterCut(shown, cut)
  const summary = sent.length < shown.length ? (cut?.summary ?? '') : ''
  return historyTokens(sent.map(({ message }) => message)) + (summary === '' ? 0 : tokensOf(summary))
}

function historyPart(
  draft: string,
  leafId: string | undefined,
  systemPrompt: string,
): PromptPart | undefined {
  if (draft !== NEW && leafId !== undefined) return { conversationId: draft, leafId }
  return systemPrompt === '' ? undefined : { text: systemPrompt }
}
