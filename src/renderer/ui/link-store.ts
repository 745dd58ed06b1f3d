import { t } from '@lingui/core/macro'
import { create } from 'zustand'
import { inDesktop } from './api.ts'

/** The address that is shown before it is opened. */
export const useLink = create<{ readonly href: string | undefined; readonly description: string }>()(() => ({
  href: undefined,
  description: '',
}))

/**
 * Shows an address before it is opened. In the desktop app the shell does this, in a system dialog that no page can
 * imitate.
 * `says` names the place of the link; by default, a reply.
 */
export function showLink(
  href: string | undefined,
  description = t`This link comes from a model’s reply.`,
): void {
  if (inDesktop && href !== undefined) window.open(href, '_blank', 'noopener,noreferrer')
  else useLink.setState({ href, description })
}
