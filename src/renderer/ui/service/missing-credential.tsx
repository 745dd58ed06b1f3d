import { Trans } from '@lingui/react/macro'

/** Names what an account can't do without the credential that it lacks. Nothing is shown if it has both. */
export function MissingCredential({ hasKey, hasCreditId }: { hasKey: boolean; hasCreditId: boolean }) {
  if (hasKey && hasCreditId) return null
  return hasKey ? (
    <span>
      <Trans>Connected with an API key only, so its keys and automatic top-up can’t be managed here</Trans>
    </span>
  ) : (
    <span>
      <Trans>
        No API key, so chat, media, and top-ups aren’t available. Create a key in Keys, then connect it.
      </Trans>
    </span>
  )
}
