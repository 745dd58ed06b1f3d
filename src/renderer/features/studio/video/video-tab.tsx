import { Trans } from '@lingui/react/macro'

export function VideoTab() {
  return <p><Trans>This part is not in this build yet. Nothing of it can be asked for or paid here.</Trans></p>
}
