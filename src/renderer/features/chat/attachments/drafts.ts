import { create } from 'zustand'
import type { Attachment } from '../../../../shared/attachment.ts'
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

interface SavedDraft {
  readonly text: string
  readonly attachmentIds: readonly string[]
}
/** Each draft that the core has, as far as this window knows. */
const saved = new Map<string, SavedDraft>()
const nothing: SavedDraft = { text: '', attachmentIds: [] }

/** From now on, drafts and their attachments outlive this window. Drafts that a former window left are restored. */
export function keepDrafts(): void {
  if (watching) return
  watching = true
  onServiceChange(() => {
    changed.clear()
    saved.clear()
    state = 'idle'
    // A call that hangs at the former service must not delay calls here.
    calling = Promise.resolve()
    useDraftKeeping.setState({ failure: undefined })
  })
  useChat.subscribe((now, before) => {
    if (now.drafts !== before.drafts) noteDifferences(now.drafts, before.drafts)
    if (now.beginning.temporary !== before.beginning.temporary) note(NEW)
    if (state === 'idle' && now.conversations) fetchDrafts()
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
  if (useChat.getState().conversations) fetchDrafts()
}
let watching = false

function refetchDrafts(): void {
  if (state === 'kept') fetchDrafts()
}

/** Loads drafts between two saves, so that the answer includes the earlier save and isn't older than the later one. */
function fetchDrafts(): void {
  const still = sameService()
  if (state !== 'kept') state = 'fetching'
  calling = calling.then(async () => {
    try {
      const drafts = new Map(
        (await api.drafts.all()).map((draft) => [
          draft.conversationId === NEW_DRAFT ? NEW : draft.conversationId,
          draft,
        ]),
      )
      if (!still()) return
      for (const key of new Set([...saved.keys(), ...drafts.keys()])) {
        if (isTemporary(key)) continue
        const { text, attachments } = drafts.get(key) ?? { text: '', attachments: [] }
        const before = saved.get(key) ?? nothing
        saved.set(key, { text, attachmentIds: attachments.map(({ id }) => id) })
        adoptText(key, text, before.text)
        adoptFiles(key, attachments, before.attachmentIds)
      }
      state = 'kept'
      if (changed.size > 0) schedule()
    } catch (thrown) {
      if (!still()) return
      state = 'kept'
      useDraftKeeping.setState({ failure: asFailure(thrown) })
    }
  })
}

/**
 * Shows the text that the core has, if another tab wrote it. Text that this tab wrote since `before` stays behind
 * it.
 */
function adoptText(key: string, stored: string, before: string): void {
  if (stored === before) return
  const written = useChat.getState().drafts[key] ?? ''
  const text = written === before ? stored : joinDraftTexts(stored, written)
  if (text !== written) useChat.setState(({ drafts }) => ({ drafts: { ...drafts, [key]: text } }))
}

/** Shows files that another tab attached. A file that was already in `before` may have been removed here since. */
function adoptFiles(key: string, stored: readonly Attachment[], before: readonly string[]): void {
  const known = new Set([...before, ...attachmentsOf(key).map(({ id }) => id)])
  const added = stored.filter(({ id }) => !known.has(id))
  if (added.length > 0) putAttachments(key, added)
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

let calling: Promise<void> = Promise.resolve()

/** Saves drafts one after another, so that the last one written is the one that stays. */
function saveAll(): Promise<void> {
  calling = calling.then(async () => {
    const still = sameService()
    for (const key of [...changed]) {
      // Another service has no such draft.
      if (!still()) return
      changed.delete(key)
      try {
        const draft = draftOf(key)
        const { text } = await api.drafts.save(draft)
        if (!still()) return
        saved.set(key, { text, attachmentIds: draft.attachmentIds })
        adoptText(key, text, draft.text)
        useDraftKeeping.setState({ failure: undefined })
      } catch (thrown) {
        if (!still()) return
        // The next save includes it, at the latest when Sotto answers again.
        changed.add(key)
        useDraftKeeping.setState({ failure: asFailure(thrown) })
      }
    }
  })
  return calling
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
    replaces: (saved.get(key) ?? nothing).text,
  }
}
