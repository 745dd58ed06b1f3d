import { create } from 'zustand'
import { inDesktop } from './api.ts'

/** The address that is shown before it is opened. */
export const useLink = create<{ readonly href: string | undefined }>()(() => ({ href: undefined }))

/** The address in its canonical form (punycode host, escaped path), where it is of the web; everything else is no link. */
export function webAddress(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined
}

/** In the desktop app the shell shows the address, in a dialog of the system's that no page can draw. */
export function showLink(href: string | undefined): void {
  if (inDesktop && href !== undefined) window.open(href, '_blank', 'noopener,noreferrer')
  else useLink.setState({ href })
}
