import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { create } from 'zustand'
import { inDesktop } from './api.ts'

interface Link {
  readonly href: string | undefined
  /** The place of the link. */
  readonly description: MessageDescriptor
}

const fromReply = msg`This link comes from a model’s reply.`

/** The address that is shown before it is opened. */
export const useLink = create<Link>()(() => ({ href: undefined, description: fromReply }))

/**
 * Shows an address before it is opened. In the desktop app the shell does this, in a system dialog that no page can
 * imitate.
 */
export function showLink(href: string | undefined, description = fromReply): void {
  if (inDesktop && href !== undefined) window.open(href, '_blank', 'noopener,noreferrer')
  else useLink.setState({ href, description })
}
