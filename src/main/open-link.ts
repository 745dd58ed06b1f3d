import { t } from '@lingui/core/macro'
import { dialog, shell } from 'electron'
import type { Confirm } from '../shared/confirm.ts'
import { msg } from '../shared/localized-text.ts'
import { allowsLink } from './native-confirm.ts'

/** The longest address that a dialog shows completely, so that the person can check it. */
const MAX_LENGTH = 2048

/**
 * The only way from the window to the web, in the user's own browser. The address is shown outside the window first: a
 * link that the page could open unseen would carry out whatever the page can read.
 */
export async function openLink(address: string, confirm: Confirm): Promise<void> {
  const url = webAddress(address)
  if (
    url === null ||
    !(await allowsLink(
      confirm,
      [...msg('Open this address in your browser?'), ...msg('{words}', { words: url })],
      'link',
    ))
  )
    return
  try {
    await shell.openExternal(url)
  } catch {
    dialog.showErrorBox(t`Couldn’t open a browser`, url)
  }
}

/**
 * Canonical (punycode host, escaped path), of the web, and without a name or password, which serve to look like another
 * host. Null for every other text.
 */
export function webAddress(text: string): string | null {
  if (text.length > MAX_LENGTH || !URL.canParse(text)) return null
  const { protocol, username, password, href } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return null
  return username === '' && password === '' && href.length <= MAX_LENGTH ? href : null
}
