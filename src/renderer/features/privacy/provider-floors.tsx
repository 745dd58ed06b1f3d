import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { PrivacyChoices } from '../../../shared/contract/privacy.ts'
import { describeFloorChange } from '../../../shared/policy/provider-floor.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import notes from '../../ui/note.module.css'
import { Switch } from '../../ui/switch.tsx'
import { useAction } from '../../ui/use-action.ts'
import styles from './choices.module.css'
import { setProviderFloors } from './privacy-store.ts'

/** The only choice that accepts more than the service's policy does. */
export function ProviderFloors({ accepted, floors }: NonNullable<PrivacyChoices['providerFloors']>) {
  const choosing = useAction(() => setProviderFloors(!accepted))
  return (
    <div className={styles.floors}>
      <h3 className={styles.heading}>
        <Trans>Server firmware</Trans>
      </h3>
      <Switch
        on={accepted}
        onTurn={() => void choosing.run()}
        disabled={choosing.busy}
        label={t`Accept the provider’s lower firmware minimum`}
      />
      {accepted && (
        <p className={notes.note} role="note">
          <strong>
            <Trans>Accepted floor below AMD-SB-3019.</Trans>
          </strong>{' '}
          <Trans>Servers that can run forged microcode may pass verification.</Trans>
        </p>
      )}
      {!accepted && (
        <p className={styles.note}>
          <Trans>
            Sotto requires the firmware that fixes AMD-SB-3019. Without the fix, a server can run forged
            microcode. The provider also accepts older firmware.
          </Trans>
        </p>
      )}
      <p className={styles.note}>
        <code>{floors.map(describeFloorChange).join('; ')}</code>
      </p>
      {choosing.failure && <FailureNote failure={choosing.failure} />}
    </div>
  )
}
