import { create } from 'zustand'

/** An image of a job. */
export interface Looked {
  readonly jobId: string
  readonly index: number
}

interface LookState {
  /** The images that the dialog shows: one, or two next to each other. */
  readonly open: readonly Looked[]
  /** The first image of a comparison, until the user chooses the second. */
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

/** The first chosen image waits for a second. Choosing the same image again clears it. */
export function compareWith(image: Looked): void {
  const { first } = useLook.getState()
  if (!first) useLook.setState({ first: image })
  else if (isSame(first, image)) useLook.setState({ first: undefined })
  else useLook.setState({ open: [first, image] })
}
