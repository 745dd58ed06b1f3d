import { create } from 'zustand'
import type { LocalizedText } from '../../shared/localized-text.ts'
import { api, inDesktop } from './api.ts'
import { WindowError } from './failure.ts'

/** The question that waits for confirmation outside this window. In the desktop app, a system dialog asks instead. */
interface ConfirmationState {
  readonly pending: { readonly id: string; readonly says: LocalizedText } | null
  /** Cancels the newest action, which is the one that asks: an earlier one waits for something else. */
  readonly abandon: () => void
}

/** The actions that are running, the oldest first. */
let running: readonly AbortController[] = []

export const useConfirmation = create<ConfirmationState>()((_set, get) => ({
  pending: null,
  abandon: () => {
    const { pending } = get()
    if (pending) dismissed.add(pending.id)
    running.at(-1)?.abort()
  },
}))

const POLL_MS = 400

/**
 * Questions that were canceled here. The core may keep one open for a while, and it must not be shown for another
 * action.
 */
const dismissed = new Set<string>()

/**
 * Runs an action that the core may want confirmed with a code from the terminal, and shows the question while it waits.
 * Throws what the action throws, and confirm/refused if the action was canceled here.
 */
export async function confirmable<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  running = [...running, stop]
  const acting = act(stop.signal)
  let done = false
  const settled = () => done
  const poll = async () => {
    while (!settled() && !inDesktop) {
      try {
        const pending = await api.confirmations.pending(undefined, { signal: stop.signal })
        if (!settled())
          useConfirmation.setState({ pending: pending && dismissed.has(pending.id) ? null : pending })
      } catch {
        // The action itself reports the failure.
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
  void poll()
  try {
    return await acting
  } catch (thrown) {
    throw stop.signal.aborted ? new WindowError('confirm/refused') : thrown
  } finally {
    done = true
    running = running.filter((other) => other !== stop)
    // The question of another action stays.
    if (running.length === 0) useConfirmation.setState({ pending: null })
  }
}
