import { create } from 'zustand'

/** One match of the query: the message that contains it, and how many matches of the message come before it. */
export interface Match {
  readonly messageId: string
  readonly nth: number
}

interface FindState {
  /** Whether the find bar of the open chat is shown. */
  readonly open: boolean
  /** The current match. A long message that contains it is unfolded. */
  readonly current: Match | undefined
}

export const useFind = create<FindState>()(() => ({ open: false, current: undefined }))

/** Shows the find bar. It takes the focus. */
export function showFindBar(): void {
  useFind.setState({ open: true })
}

export function hideFindBar(): void {
  useFind.setState({ open: false, current: undefined })
}
