import { create } from 'zustand'

/** A message that is to be in view; another object for each time. Rows that are far away are not in the page before. */
export const useJump = create<{ readonly to: { readonly messageId: string } | undefined }>()(() => ({ to: undefined }))

export function jumpTo(messageId: string): void {
  useJump.setState({ to: { messageId } })
}
