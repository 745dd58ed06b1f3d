import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { changesBetween } from '../../../shared/enclave-change.ts'
import { pinOf, samePin } from '../../../shared/pin.ts'
import type { VerifiedEnclave } from '../../../shared/verified-enclave.ts'
import { Button } from '../../ui/button.tsx'
import { Fact, Facts, HexFact } from '../../ui/facts.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatList } from '../../ui/format/list.ts'
import { formatDateTime } from '../../ui/format/time.ts'
import { Section } from '../../ui/room.tsx'
import { useAction } from '../../ui/use-action.ts'
import { Changes } from './changes.tsx'
import { PinButton } from './choices.tsx'
import styles from './change-log.module.css'
import { saveProof, usePrivacy } from './privacy-store.ts'
import { Registers } from './registers.tsx'
import { ReleaseLink } from './release-link.tsx'

/** Every enclave that was verified here, the last seen first; each opens on what it was, how it differed and its evidence. */
export function ChangeLog() {
  const history = usePrivacy((state) => state.history)
  return (
    <Section title={t`Change log`} says={t`Every enclave that was verified here, with its evidence, sealed on this machine. Another measurement, release or key is another line. The first and the last thirty are kept.`}>
      {!history && <p className={styles.none} role="status"><Trans>Fetching the change log…</Trans></p>}
      {history?.length === 0 && <p className={styles.none}><Trans>Nothing was verified yet.</Trans></p>}
      {history && history.length > 0 && (
        <ol className={styles.log}>
          {history.map((enclave, index) => <Line key={enclave.id} enclave={enclave} before={history[index + 1]} current={index === 0} />)}
        </ol>
      )}
    </Section>
  )
}

function Line({ enclave, before, current }: { enclave: VerifiedEnclave; before: VerifiedEnclave | undefined; current: boolean }) {
  const changed = before ? kindsOf(before, enclave) : t`the first`
  return (
    <li>
      <details>
        <summary className={styles.line}>
          <span className={styles.name}>{enclave.release?.tag ?? enclave.platform ?? t`An enclave`}{current && <span className={styles.current}> <Trans>the last verified</Trans></span>}</span>
          <span className={styles.changed}>{changed}</span>
          <span className={styles.time}>{formatDateTime(enclave.lastSeenAt)}</span>
        </summary>
        <Details enclave={enclave} before={before} />
      </details>
    </li>
  )
}

/** In a word or two: the code first, since it is what matters. */
function kindsOf(before: VerifiedEnclave, after: VerifiedEnclave): string {
  const kinds = changesBetween(before, after).map(({ kind }) => kind)
  const said = [
    kinds.includes('platform') && t`other hardware`,
    kinds.includes('release') && t`other release`,
    kinds.includes('code') && t`other code`,
    kinds.includes('key') && kinds.every((kind) => kind === 'key') && t`other keys`,
  ]
  return formatList(said)
}

function Details({ enclave, before }: { enclave: VerifiedEnclave; before: VerifiedEnclave | undefined }) {
  const choices = usePrivacy((state) => state.choices)
  const saving = useAction(() => saveProof(enclave.id))
  const pinned = pinOf(enclave.registers ?? [])
  const isPinned = pinned !== undefined && choices?.pins.some((known) => samePin(known, pinned)) === true
  const name = enclave.hpkePublicKey?.slice(0, 8) ?? ''
  return (
    <div className={styles.details}>
      {before && <><h3 className={styles.heading}><Trans>Against the one before</Trans></h3><Changes before={before} after={enclave} /></>}
      <h3 className={styles.heading}><Trans>What it was</Trans></h3>
      <Facts>
        {enclave.platform !== undefined && <Fact name={t`Platform`}>{enclave.platform}</Fact>}
        <Fact name={t`Judged by`}>{enclave.trust === 'sandbox' ? t`Sandbox roots` : t`Built-in roots`}</Fact>
        {enclave.release && <Fact name={t`Release`}><Trans>{enclave.release.tag} of {enclave.release.repository} <ReleaseLink release={enclave.release} trust={enclave.trust} /></Trans></Fact>}
        {enclave.release && <HexFact name={t`Release file, SHA-256`} copies={t`Copy release file, SHA-256`} hex={enclave.release.digest} />}
        {enclave.hpkePublicKey !== undefined && <HexFact name={t`Encryption key`} copies={t`Copy encryption key`} hex={enclave.hpkePublicKey} />}
        <Fact name={t`First seen`}>{formatDateTime(enclave.firstSeenAt)}</Fact>
        <Fact name={t`Last seen`}>{formatDateTime(enclave.lastSeenAt)}</Fact>
        <HexFact name={t`Evidence, SHA-256`} copies={t`Copy evidence, SHA-256`} hex={enclave.evidenceDigest} />
      </Facts>
      {enclave.registers && <Registers registers={enclave.registers} />}
      <div className={styles.actions}>
        {enclave.hasProof
          ? <Button onClick={() => void saving.run()} busy={saving.busy && t`Saving…`} aria-label={t`Save the proof, of ${name}`}><Trans>Save the proof</Trans></Button>
          : <span><Trans>Its evidence was too large to be kept.</Trans></span>}
        {isPinned ? <span><Trans>This measurement is pinned.</Trans></span> : pinned && <PinButton enclaveId={enclave.id} label={t`Pin this measurement, of ${name}`} />}
      </div>
      {saving.failure && <FailureNote failure={saving.failure} />}
    </div>
  )
}
