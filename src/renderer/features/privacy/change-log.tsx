import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { changesBetween } from '../../../shared/enclave-change.ts'
import { pinOf, samePin } from '../../../shared/pin.ts'
import type { VerifiedEnclave } from '../../../shared/verified-enclave.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Fact, Facts, HexFact } from '../../ui/facts.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatList } from '../../ui/format/list.ts'
import { formatDateTime } from '../../ui/format/time.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Section } from '../../ui/view.tsx'
import { useAction } from '../../ui/use-action.ts'
import { Changes } from './changes.tsx'
import { PinButton } from './choices.tsx'
import styles from './change-log.module.css'
import { saveProof, usePrivacy } from './privacy-store.ts'
import { Registers } from './registers.tsx'
import { ReleaseLink } from './release-link.tsx'

/**
 * Every enclave that was verified here, the last seen first. Each shows its details, its differences and its evidence.
 */
export function ChangeLog() {
  const history = usePrivacy().data?.history
  return (
    <Section
      title={t`Enclave history`}
      description={t`Every enclave verified on this computer, saved encrypted with its evidence. A new measurement, release, or key adds an entry. Sotto keeps the first entry and the latest 30.`}
    >
      {!history && <Skeleton label={t`Loading history…`} />}
      {history?.length === 0 && <EmptyState title={t`Nothing verified yet`} />}
      {history && history.length > 0 && <EnclaveList history={history} save={saveProof} isPinnable />}
    </Section>
  )
}

interface Acts {
  readonly save: (enclaveId: string) => Promise<void>
  /** Pins count for private models only. */
  readonly isPinnable?: boolean
}

/** @param history the last seen first */
export function EnclaveList({ history, ...acts }: { readonly history: readonly VerifiedEnclave[] } & Acts) {
  return (
    <ol className={styles.log}>
      {history.map((enclave, index) => (
        <Line
          key={enclave.id}
          enclave={enclave}
          before={history.slice(index + 1).find(({ enclaveHost }) => enclaveHost === enclave.enclaveHost)}
          current={index === 0}
          {...acts}
        />
      ))}
    </ol>
  )
}

function Line({
  enclave,
  before,
  current,
  ...acts
}: { enclave: VerifiedEnclave; before: VerifiedEnclave | undefined; current: boolean } & Acts) {
  const changed = before ? kindsOf(before, enclave) : t`first`
  return (
    <li>
      <details>
        <summary className={styles.line}>
          <span className={styles.name}>
            {enclave.release?.tag ?? enclave.platform ?? t`Enclave`}
            {current && (
              <span className={styles.current}>
                {' '}
                <Trans>last verified</Trans>
              </span>
            )}
          </span>
          <span className={styles.changed}>{changed}</span>
          <span className={styles.time}>{formatDateTime(enclave.lastSeenAt)}</span>
        </summary>
        <Details enclave={enclave} before={before} {...acts} />
      </details>
    </li>
  )
}

/** The changes in a word or two. The code comes first, because it matters most. */
function kindsOf(before: VerifiedEnclave, after: VerifiedEnclave): string {
  const kinds = changesBetween(before, after).map(({ kind }) => kind)
  const texts = [
    kinds.includes('platform') && t`hardware changed`,
    kinds.includes('release') && t`release changed`,
    kinds.includes('code') && t`code changed`,
    kinds.includes('key') && kinds.every((kind) => kind === 'key' || kind === 'server') && t`keys changed`,
  ]
  return formatList(texts)
}

function Details({
  enclave,
  before,
  save,
  isPinnable = false,
}: { enclave: VerifiedEnclave; before: VerifiedEnclave | undefined } & Acts) {
  const choices = usePrivacy().data?.choices
  const saving = useAction(() => save(enclave.id))
  const pinned = isPinnable ? pinOf(enclave.registers ?? []) : undefined
  const isPinned = pinned !== undefined && choices?.pins.some((known) => samePin(known, pinned)) === true
  const name = enclave.hpkePublicKey?.slice(0, 8) ?? ''
  return (
    <div className={styles.details}>
      {before && (
        <>
          <h3 className={styles.heading}>
            <Trans>Changes from the previous enclave</Trans>
          </h3>
          <Changes before={before} after={enclave} />
        </>
      )}
      <h3 className={styles.heading}>
        <Trans>Details</Trans>
      </h3>
      <Facts>
        <Fact name={t`Enclave host`}>{enclave.enclaveHost}</Fact>
        {enclave.platform !== undefined && <Fact name={t`Platform`}>{enclave.platform}</Fact>}
        <Fact name={t`Checked against`}>
          {enclave.trust === 'sandbox' ? t`Demo roots` : t`Built-in roots`}
        </Fact>
        {enclave.release && (
          <Fact name={t`Release`}>
            <Trans>
              {enclave.release.tag} from {enclave.release.repository}{' '}
              <ReleaseLink release={enclave.release} trust={enclave.trust} />
            </Trans>
          </Fact>
        )}
        {enclave.release && (
          <HexFact
            name={t`Release file (SHA-256)`}
            copies={t`Copy release file (SHA-256)`}
            hex={enclave.release.digest}
          />
        )}
        {enclave.machine && (
          <Fact name={t`Server`}>
            <Trans>
              On the publisher’s signed list, with the rules <code>{enclave.machine.policy}</code>
            </Trans>
          </Fact>
        )}
        {enclave.hpkePublicKey !== undefined && (
          <HexFact name={t`Encryption key`} copies={t`Copy encryption key`} hex={enclave.hpkePublicKey} />
        )}
        <Fact name={t`First seen`}>{formatDateTime(enclave.firstSeenAt)}</Fact>
        <Fact name={t`Last seen`}>{formatDateTime(enclave.lastSeenAt)}</Fact>
        <HexFact
          name={t`Evidence (SHA-256)`}
          copies={t`Copy evidence (SHA-256)`}
          hex={enclave.evidenceDigest}
        />
      </Facts>
      {enclave.registers && <Registers registers={enclave.registers} />}
      <div className={styles.actions}>
        {enclave.hasProof ? (
          <Button
            onClick={() => void saving.run()}
            busy={saving.busy && t`Saving…`}
            aria-label={t`Save evidence for ${name}`}
          >
            <Trans>Save evidence</Trans>
          </Button>
        ) : (
          <span>
            <Trans>The evidence was too large to save.</Trans>
          </span>
        )}
        {isPinned ? (
          <span>
            <Trans>This measurement is pinned.</Trans>
          </span>
        ) : (
          pinned && <PinButton enclaveId={enclave.id} label={t`Pin measurement ${name}`} />
        )}
      </div>
      {saving.failure && <FailureNote failure={saving.failure} />}
    </div>
  )
}
