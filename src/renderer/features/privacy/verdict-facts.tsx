import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Verdict } from '../../../shared/verdict.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Fact, Facts, HexFact } from '../../ui/facts.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatAge, formatDateTime, formatDuration } from '../../ui/format/time.ts'
import { fromCore } from '../../ui/language/core-sentences.ts'
import notes from '../../ui/note.module.css'
import { useAction } from '../../ui/use-action.ts'
import { Registers } from './registers.tsx'
import { ReleaseLink } from './release-link.tsx'
import { consentWords } from './release-words.ts'
import styles from './verdict-facts.module.css'

interface EvidenceProps {
  verdict: Verdict
  now: number
  /** What the saved file contains. */
  about: ReactNode
  save: () => Promise<void>
  /** Between the facts and the button. */
  children?: ReactNode
}

/** What a verdict rests on, to be read and saved. */
export function Evidence({ verdict, now, about, save, children }: EvidenceProps) {
  const saving = useAction(save)
  return (
    <>
      {!verdict.good && !consentWords(verdict) && verdict.platform !== undefined && (
        <p className={styles.claims}>
          <Trans>These values are signed, but verification failed. Don’t rely on them.</Trans>
        </p>
      )}
      <VerdictFacts verdict={verdict} now={now} />
      {children}
      <div className={styles.save}>
        <Button onClick={() => void saving.run()} busy={saving.busy && t`Saving…`}>
          <Trans>Save evidence</Trans>
        </Button>
        <p>{about}</p>
      </div>
      {saving.failure && <FailureNote failure={saving.failure} />}
    </>
  )
}

/** Everything that a verdict rests on, except its checks. */
function VerdictFacts({ verdict, now }: { verdict: Verdict; now: number }) {
  const { image, release, registers } = verdict
  return (
    <>
      <Facts>
        <Fact name={t`Enclave host`}>{verdict.enclaveHost}</Fact>
        <Fact name={t`Checked against`}>
          {verdict.trust === 'sandbox' ? t`Demo roots` : t`Built-in roots`}
        </Fact>
        {verdict.platform !== undefined && <Fact name={t`Platform`}>{verdict.platform}</Fact>}
        {release && (
          <>
            <Fact name={t`Release`}>
              <Trans>
                {release.tag} from {release.repository}{' '}
                <ReleaseLink release={release} trust={verdict.trust} />
              </Trans>
            </Fact>
            <HexFact
              name={t`Release file (SHA-256)`}
              copies={t`Copy release file (SHA-256)`}
              hex={release.digest}
            />
            {release.loggedAt !== undefined && (
              <Fact name={t`Logged`}>{formatDateTime(release.loggedAt)}</Fact>
            )}
          </>
        )}
        {image?.version !== undefined && (
          <Fact name={t`Image version`}>
            <Trans>{image.version} (the service’s claim)</Trans>
          </Fact>
        )}
        {image?.commit !== undefined && (
          <Fact name={t`Source commit`}>
            <Trans>
              <code>{image.commit}</code> ({commitWords(image.rule)})
            </Trans>
          </Fact>
        )}
        {!registers && verdict.measurement !== undefined && (
          <HexFact name={t`Measurement`} copies={t`Copy measurement`} hex={verdict.measurement} />
        )}
        {verdict.hpkePublicKey !== undefined && (
          <HexFact name={t`Encryption key`} copies={t`Copy encryption key`} hex={verdict.hpkePublicKey} />
        )}
        {verdict.tlsKeyFingerprint !== undefined && (
          <HexFact
            name={t`TLS key (SHA-256)`}
            copies={t`Copy TLS key (SHA-256)`}
            hex={verdict.tlsKeyFingerprint}
          />
        )}
        {verdict.machine && (
          <Fact name={t`Server`}>
            <Trans>
              On the publisher’s signed list, with the rules <code>{verdict.machine.policy}</code>
            </Trans>
          </Fact>
        )}
        {verdict.freshness && <Fact name={t`Freshness`}>{freshnessWords(verdict.freshness)}</Fact>}
        <Fact name={t`Checked`}>
          {formatDateTime(verdict.verifiedAt)}, {formatAge(verdict.verifiedAt, now)}
        </Fact>
        {verdict.good && (
          <Fact name={t`Valid until`}>
            {formatDateTime(verdict.validUntil)}
            <span className={styles.left}>
              {', '}
              {now < verdict.validUntil ? t`${formatDuration(verdict.validUntil - now)} left` : t`expired`}
            </span>
          </Fact>
        )}
        <HexFact
          name={t`Evidence (SHA-256)`}
          copies={t`Copy evidence (SHA-256)`}
          hex={verdict.evidenceDigest}
        />
      </Facts>
      {registers && <Registers registers={registers} />}
      {verdict.notices?.map(({ code, says }) => (
        <p key={code} className={classNames(notes.note, styles.notice)} role="note">
          <strong>
            <Trans>Note:</Trans>
          </strong>{' '}
          {fromCore(says)} <code>{code}</code>
        </p>
      ))}
    </>
  )
}

function commitWords(rule: NonNullable<Verdict['image']>['rule']): string {
  return rule === 'proven' ? t`named by the publisher’s workflow` : t`the service’s claim`
}

function freshnessWords(freshness: NonNullable<Verdict['freshness']>): string {
  if (freshness.kind === 'nonce-bound')
    return t`Created for this request: it contains a random nonce from Sotto.`
  if (freshness.kind === 'signed-at')
    return t`Signed by the hardware at ${formatDateTime(freshness.signedTime)}. It isn’t bound to this request, so the service may be replaying earlier evidence.`
  return t`At least as new as ${formatDateTime(freshness.logTime)}, the time of the release’s log entry. It isn’t bound to this request, so the service may be replaying earlier evidence.`
}
