import { create } from 'zustand'
import { inDesktop } from './api.ts'

/** The address that is shown before it is opened. */
export const useLink = create<{ readonly href: string | undefined }>()(() => ({ href: undefined }))

/** In the desktop app the shell shows the address, in a dialog of the system's that no page can draw. */
export function showLink(href: string | undefined): void {
  if (inDesktop && href !== undefined) window.open(href, '_blank', 'noopener,noreferrer')
  else useLink.setState({ href })
}
