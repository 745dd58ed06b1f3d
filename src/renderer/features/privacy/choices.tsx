import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Pin } from '../../../shared/pin.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { groupHex } from '../../ui/format/number.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Section } from '../../ui/view.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useAction } from '../../ui/use-action.ts'
import styles from './choices.module.css'
import { ProviderFloors } from './provider-floors.tsx'
import { pin, setAskBeforeNewRelease, unpin, usePrivacy } from './privacy-store.ts'
import type { Platform } from '../../../shared/policy/attestation-policy.ts'

const platformWord: Readonly<Record<Platform, string>> = {
  sevSnp: 'AMD SEV-SNP',
  tdx: 'Intel TDX',
  nitro: 'AWS Nitro',
}

/**
 * The user's requirements beyond the service's policy. A stricter setting takes effect at once. A looser setting is
 * confirmed outside the window.
 */
export function Choices() {
  const choices = usePrivacy().data?.choices
  const asking = useAction(() => setAskBeforeNewRelease(!choices?.askBeforeNewRelease))
  return (
    <Section
      title={t`Your requirements`}
      description={t`These apply in addition to the service’s policy. Stricter settings take effect immediately. To loosen one, confirm in a system dialog or your terminal.`}
    >
      {!choices && <Skeleton label={t`Loading your requirements…`} />}
      {choices && (
        <>
          <Switch
            on={choices.askBeforeNewRelease}
            onTurn={() => void asking.run()}
            disabled={asking.busy}
            label={t`Require my approval for new releases`}
          />
          <p className={styles.note}>
            <Trans>If on, private requests are blocked until you approve the enclave’s new release.</Trans>
          </p>
          {asking.failure && <FailureNote failure={asking.failure} />}
          <Pins pins={choices.pins} />
          {choices.providerFloors && <ProviderFloors {...choices.providerFloors} />}
        </>
      )}
    </Section>
  )
}

function Pins({ pins }: { pins: readonly Pin[] }) {
  return (
    <div className={styles.pins}>
      <h3 className={styles.heading}>
        <Trans>Pinned measurements</Trans>
      </h3>
      {pins.length === 0 && (
        <p className={styles.note}>
          <Trans>
            None. Any measurement the policy allows is accepted. If you pin one in the enclave history, only
            pinned measurements are accepted.
          </Trans>
        </p>
      )}
      {pins.length > 0 && (
        <ul className={styles.list}>
          {pins.map((pinned) => (
            <PinRow key={JSON.stringify(pinned)} pinned={pinned} />
          ))}
        </ul>
      )}
    </div>
  )
}

function PinRow({ pinned }: { pinned: Pin }) {
  const taking = useAction(() => unpin(pinned))
  return (
    <li>
      <div className={styles.pin}>
        <span>{platformWord[pinned.platform]}</span>
        <span className={styles.registers}>
          {pinned.registers.map(({ name, hex }) => (
            <code key={name}>
              {name} {groupHex(hex)}
            </code>
          ))}
        </span>
        <Button
          onClick={() => void taking.run()}
          busy={taking.busy && t`Waiting…`}
          aria-label={t`Unpin ${pinned.registers[0]?.hex.slice(0, 8) ?? ''}`}
        >
          <Trans>Unpin</Trans>
        </Button>
      </div>
      {taking.failure && <FailureNote failure={taking.failure} />}
    </li>
  )
}

/** Shown next to a line of the change log. */
export function PinButton({ enclaveId, label }: { enclaveId: string; label: string }) {
  const pinning = useAction(() => pin(enclaveId))
  return (
    <>
      <Button onClick={() => void pinning.run()} busy={pinning.busy && t`Waiting…`} aria-label={label}>
        <Trans>Pin measurement</Trans>
      </Button>
      {pinning.failure && <FailureNote failure={pinning.failure} />}
    </>
  )
}
