import { t } from '@lingui/core/macro'
import type { BrowserWindow } from 'electron'
import { z } from 'zod'
import type { Host } from '../host/host.ts'
import type { Confirm } from '../shared/confirm.ts'
import { failureSchema } from '../shared/contract/failure.ts'
import { msg } from '../shared/localized-text.ts'
import { sottoLinkSchema } from '../shared/sotto-link.ts'
import { spoken } from './language.ts'
import { allowsLink, showMessage } from './native-confirm.ts'

interface LinkParts {
  readonly host: Pick<Host, 'asOwner'>
  readonly confirm: Confirm
  readonly show: (place?: string) => Promise<void>
  readonly window: () => BrowserWindow | null
}

/** The link among what a program was started with; the system hands it over as one argument. */
export function linkAmong(argv: unknown): string | undefined {
  return z
    .array(z.string())
    .catch([])
    .parse(argv)
    .findLast((argument) => /^sotto:/i.test(argument))
}

/**
 * Opens the target of a `sotto://` link. An attacker's page can open one, so it only leads to a place in
 * the window. Actions on money, accounts or the service need a confirmation in the system's own dialog
 * first.
 */
export async function followSottoLink(
  text: string,
  { host, confirm, show, window }: LinkParts,
): Promise<void> {
  const { data: link } = sottoLinkSchema.safeParse(text)
  await show()
  switch (link?.opens) {
    case undefined:
      // Its text is somebody else's, and is not repeated.
      await tell(window(), t`Link not opened`, t`Links can’t ask Sotto to do this.`)
      return
    case 'view':
      return show(`#/${link.view}`)
    case 'conversation':
      return show(`#/chat/${encodeURIComponent(link.conversationId)}`)
    case 'accounts':
      if (
        await allowsLink(
          confirm,
          msg('A link wants to open your accounts in Sotto. Open them?'),
          'sotto-link',
        )
      )
        await show('#/wallet/accounts')
      return
    case 'topup':
      if (
        await allowsLink(
          confirm,
          msg('A link wants to open Wallet, where you add funds. Open it?'),
          'sotto-link',
        )
      )
        await show('#/wallet')
      return
    case 'service': {
      const failed = await chooseService(host, link.profileId)
      if (failed) await tell(window(), t`Couldn’t change the service`, failed)
    }
  }
}

const answerSchema = z.object({ json: z.object({ data: failureSchema }) })

/** The core asks for confirmation. @returns what to tell the person if it failed; null otherwise */
async function chooseService(host: Pick<Host, 'asOwner'>, profileId: string): Promise<string | null> {
  const response = await host.asOwner(
    new Request('app://sotto/api/profiles/choose', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ json: { profileId } }),
    }),
  )
  if (response.ok) return null
  const { data: answered } = answerSchema.safeParse(await response.json().catch(() => null))
  const failure = answered?.json.data
  // Refused by the person, or by the brake: a page could otherwise have dialogs shown without end.
  if (failure?.code.startsWith('confirm/')) return null
  return failure
    ? spoken([{ english: failure.says }, ...(failure.detail ?? []), { english: failure.remedy }])
    : t`Sotto didn’t respond.`
}

async function tell(parent: BrowserWindow | null, message: string, detail: string): Promise<void> {
  const options = { type: 'info' as const, title: 'Sotto', message, detail, buttons: [t`OK`], noLink: true }
  await showMessage(parent, options)
}
