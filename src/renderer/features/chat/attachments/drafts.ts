import { create } from 'zustand'
import { NEW_DRAFT } from '../../../../shared/attachment-limits.ts'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import { joinDraftTexts } from '../../../../shared/draft-text.ts'
import { api, endInPassing } from '../../../ui/api.ts'
import { asFailure } from '../../../ui/failure.ts'
import { saveBeforeLock } from '../../../ui/lock.ts'
import { onServiceChange, sameService, useStatus } from '../../../ui/status-store.ts'
import { NEW, useChat } from '../chat-store.ts'
import { attachmentsOf, isTemporary, putAttachments, useAttached } from './attached-store.ts'

/** A killed process loses at most the input of this time. */
const WAIT_MS = 400

/** Why drafts aren't saved, if they aren't. */
export const useDraftKeeping = create<{ readonly failure: Failure | undefined }>()(() => ({
  failure: undefined,
}))

let state: 'idle' | 'fetching' | 'kept' = 'idle'
let timer: ReturnType<typeof setTimeout> | undefined
const changed = new Set<string>()
/** The text of each draft that the core has, as far as this window knows. */
const saved = new Map<string, string>()

/** From now on, drafts and their attachments outlive this window. Drafts that a former window left are restored. */
export function keepDrafts(): void {
  if (watching) return
  watching = true
  onServiceChange(() => {
    changed.clear()
    saved.clear()
    state = 'idle'
    // A save that hangs at the former service must not delay saves here.
    saving = Promise.resolve()
    useDraftKeeping.setState({ failure: undefined })
  })
  useChat.subscribe((now, before) => {
    if (now.drafts !== before.drafts) noteDifferences(now.drafts, before.drafts)
    if (now.beginning.temporary !== before.beginning.temporary) note(NEW)
    if (state === 'idle' && now.conversations) void fetchDrafts()
  })
  useStatus.subscribe(({ failure }, { failure: before }) => {
    if (before && !failure && changed.size > 0) schedule(0)
  })
  useAttached.subscribe((now, before) => noteDifferences(now.files, before.files, true))
  // A tab that is hidden may never be shown again. While it was hidden, another may have written.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void saveAll()
    else refetchDrafts()
  })
  addEventListener('focus', refetchDrafts)
  addEventListener('pagehide', saveInPassing)
  saveBeforeLock(saveAll)
  if (useChat.getState().conversations) void fetchDrafts()
}
let watching = false

function refetchDrafts(): void {
  if (state === 'kept') void fetchDrafts()
}

async function fetchDrafts(): Promise<void> {
  const still = sameService()
  if (state !== 'kept') state = 'fetching'
  try {
    // Wait for this window's saves, so that the answer includes them.
    await saving
    const drafts = await api.drafts.all()
    if (!still()) return
    const texts = new Map([...saved.keys()].map((key) => [key, '']))
    for (const { conversationId, text, attachments } of drafts) {
      const key = conversationId === NEW_DRAFT ? NEW : conversationId
      texts.set(key, text)
      if (attachments.length > 0) putAttachments(key, attachments)
    }
    for (const [key, text] of texts) if (!isTemporary(key)) adopt(key, text, saved.get(key) ?? '')
    state = 'kept'
    if (changed.size > 0) schedule()
  } catch (thrown) {
    if (!still()) return
    state = 'kept'
    useDraftKeeping.setState({ failure: asFailure(thrown) })
  }
}

/**
 * Shows the text that the core has, if another tab wrote it. Text that this tab wrote since `before` stays behind
 * it.
 */
function adopt(key: string, stored: string, before: string): void {
  saved.set(key, stored)
  if (stored === before) return
  const written = useChat.getState().drafts[key] ?? ''
  const text = written === before ? stored : joinDraftTexts(stored, written)
  if (text !== written) useChat.setState(({ drafts }) => ({ drafts: { ...drafts, [key]: text } }))
}

function noteDifferences(
  now: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
  atOnce = false,
): void {
  for (const key of new Set([...Object.keys(now), ...Object.keys(before)]))
    if (now[key] !== before[key]) note(key, atOnce)
}

function note(key: string, atOnce = false): void {
  changed.add(key)
  schedule(atOnce ? 0 : WAIT_MS)
}

function schedule(wait = WAIT_MS): void {
  if (state !== 'kept') return
  clearTimeout(timer)
  timer = setTimeout(() => void saveAll(), wait)
}

let saving: Promise<void> = Promise.resolve()

/** One after another, so that the last one written is the one that stays. */
function saveAll(): Promise<void> {
  saving = saving.then(async () => {
    const still = sameService()
    for (const key of [...changed]) {
      // Another service has no such draft.
      if (!still()) return
      changed.delete(key)
      try {
        const draft = draftOf(key)
        const { text } = await api.drafts.save(draft)
        if (!still()) return
        adopt(key, text, draft.text)
        useDraftKeeping.setState({ failure: undefined })
      } catch (thrown) {
        if (!still()) return
        // The next save includes it, at the latest when Sotto answers again.
        changed.add(key)
        useDraftKeeping.setState({ failure: asFailure(thrown) })
      }
    }
  })
  return saving
}

function saveInPassing(): void {
  if (state !== 'kept') return
  for (const key of changed) endInPassing('drafts/save', draftOf(key))
}

function draftOf(key: string) {
  return {
    ...(key !== NEW && { conversationId: key }),
    text: useChat.getState().drafts[key] ?? '',
    attachmentIds: attachmentsOf(key).map(({ id }) => id),
    temporary: isTemporary(key),
    replaces: saved.get(key) ?? '',
  }
}
