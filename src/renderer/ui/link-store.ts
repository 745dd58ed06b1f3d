import { t } from '@lingui/core/macro'
import { create } from 'zustand'
import { inDesktop } from './api.ts'

/** The address that is shown before it is opened. */
export const useLink = create<{ readonly href: string | undefined; readonly says: string }>()(() => ({
  href: undefined,
  says: '',
}))

/**
 * In the desktop app the shell shows the address, in a dialog of the system's that no page can draw.
 *
 * @param says where the link stands; left out: in an answer
 */
export function showLink(href: string | undefined, says = t`This link comes from a model’s reply.`): void {
  if (inDesktop && href !== undefined) window.open(href, '_blank', 'noopener,noreferrer')
  else useLink.setState({ href, says })
}
