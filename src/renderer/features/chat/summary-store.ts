import { t } from '@lingui/core/macro'
import { create } from 'zustand'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import { announce } from '../../ui/announcer.tsx'
import { api } from '../../ui/api.ts'
import { asFailure } from '../../ui/failure.ts'
import { onServiceChange, sameService } from '../../ui/status-store.ts'
import { putConversation } from './chat-store.ts'

interface SummaryRequest {
  readonly conversationId: string
  /** The last message of the summary. */
  readonly messageId: string
  readonly model: string
}

/** How far the summary of a chat is, or how the last one ended without a result. */
export type SummaryState =
  | { readonly state: 'running'; readonly tokens: number }
  | { readonly state: 'stopped' }
  | { readonly state: 'failed'; readonly failure: Failure }

interface SummaryStore {
  /** By conversation. It goes on if another chat is opened. */
  readonly summaries: Readonly<Record<string, SummaryState>>
}

export const useSummaries = create<SummaryStore>()(() => ({ summaries: {} }))

const running = new Map<string, AbortController>()

onServiceChange(() => {
  for (const stop of running.values()) stop.abort()
  running.clear()
  useSummaries.setState({ summaries: {} })
})

/**
 * Has a model summarize a chat.
 *
 * @returns true once the summary is saved
 */
export async function summarizeChat(request: SummaryRequest): Promise<boolean> {
  const { conversationId } = request
  if (running.has(conversationId)) return false
  const stop = new AbortController()
  const still = sameService()
  running.set(conversationId, stop)
  put(conversationId, { state: 'running', tokens: 0 })
  let end: SummaryState | undefined = { state: 'stopped' }
  try {
    for await (const event of await api.chat.summarize(request, { signal: stop.signal })) {
      if (!still()) return false
      if (event.type === 'progress') put(conversationId, { state: 'running', tokens: event.tokens })
      else {
        putConversation(event.conversation)
        announce(t`Summary saved.`)
        end = undefined
      }
    }
  } catch (thrown) {
    if (!stop.signal.aborted) end = { state: 'failed', failure: asFailure(thrown) }
  } finally {
    if (still()) {
      running.delete(conversationId)
      put(conversationId, end)
    }
  }
  return end === undefined
}

/** Ends the summary of a chat. Nothing of it is saved. */
export function stopSummary(conversationId: string): void {
  running.get(conversationId)?.abort()
}

function put(conversationId: string, state: SummaryState | undefined): void {
  useSummaries.setState(({ summaries }) => ({
    summaries: state
      ? { ...summaries, [conversationId]: state }
      : Object.fromEntries(Object.entries(summaries).filter(([id]) => id !== conversationId)),
  }))
}
