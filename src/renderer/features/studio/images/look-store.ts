import { create } from 'zustand'

/** An image of a job. */
export interface Looked {
  readonly jobId: string
  readonly index: number
}

interface LookState {
  /** Looked at large: one, or two beside each other. */
  readonly open: readonly Looked[]
  /** Chosen to be compared with the next. */
  readonly first: Looked | undefined
}

export const useLook = create<LookState>()(() => ({ open: [], first: undefined }))

export function lookAt(image: Looked): void {
  useLook.setState({ open: [image] })
}

export function closeLook(): void {
  useLook.setState({ open: [], first: undefined })
}

export function isSame(one: Looked | undefined, other: Looked): boolean {
  return one?.jobId === other.jobId && one.index === other.index
}

/** The first that is chosen waits for a second; the same again is let go. */
export function compareWith(image: Looked): void {
  const { first } = useLook.getState()
  if (!first) useLook.setState({ first: image })
  else if (isSame(first, image)) useLook.setState({ first: undefined })
  else useLook.setState({ open: [first, image] })
}
