import type { Status } from '../../../shared/status.ts'
import type { Verdict } from '../../../shared/verdict.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Fact, Facts, HexFact } from '../../ui/facts.tsx'
import { formatAge, formatDateTime, formatDuration } from '../../ui/format/time.ts'
import { PrivacyGlyph } from '../../ui/privacy-mark.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useStatus } from '../../ui/status-store.ts'
import { useNow } from '../../ui/use-now.ts'
import { standingOf } from '../../ui/verdict-standing.ts'
import { useVerdict, verifyNow } from '../../ui/verdict-store.ts'
import { saveProof } from './privacy-store.ts'
import { Registers } from './registers.tsx'
import { awaitsConsent, ReleaseConsent } from './release-consent.tsx'
import { ReleaseLink } from './release-link.tsx'
import styles from './verdict-panel.module.css'

const rootsWord: Readonly<Record<Verdict['trust'], string>> = {
  'built-in': 'the built-in roots of the hardware’s maker and of the release log',
  sandbox: 'the sandbox’s own roots, which prove nothing about any machine',
}

/** One headline, then what it rests on. */
export function VerdictPanel() {
  const { verdict, verifying, failure } = useVerdict()
  const service = useStatus((state) => state.status?.service)
  const now = useNow(1000)
  const standing = standingOf(verdict, now)
  if (service?.hasPolicy === false) return <NoPolicy service={service} />
  return (
    <>
      <section className={styles.panel} data-standing={standing} aria-label="Verdict">
        <div className={styles.sign} aria-hidden>
          {standing === 'verified' && <PrivacyGlyph privacy="sealed" size={36} />}
          {standing === 'refused' && <PrivacyGlyph privacy="refused" size={36} />}
          {(standing === 'none' || standing === 'ended') && <span className={styles.open} />}
        </div>
        <div className={styles.words}>
          <h2 className={styles.headline}>{headline[standing]}</h2>
          <p>{sentence(standing, verdict ?? undefined, service, now)}</p>
        </div>
        <Button kind={standing === 'verified' ? 'quiet' : 'primary'} onClick={() => void verifyNow()} busy={verifying && 'Checking the proof…'}>
          {verdict ? 'Verify again' : 'Verify now'}
        </Button>
      </section>
      {failure && <FailureNote failure={failure} className={styles.failure} />}
      {verdict && <ReleaseConsent verdict={verdict} />}
      {verdict && <Proof verdict={verdict} now={now} />}
    </>
  )
}

const headline = { verified: 'Verified now', refused: 'Refused', ended: 'Not checked now', none: 'Not yet checked' } as const

function sentence(standing: ReturnType<typeof standingOf>, verdict: Verdict | undefined, service: Status['service'] | undefined, now: number): string {
  switch (standing) {
    case 'verified':
      return `${verdict?.enclaveHost ?? 'The enclave'} has proven itself against ${rootsWord[verdict?.trust ?? 'built-in']}.`
    case 'refused':
      return `${verdict?.failure?.says ?? 'The enclave did not prove what it must prove.'} Nothing is sent to a private model until a proof succeeds.`
    case 'ended':
      return `The last proof was good, and ended ${verdict ? formatAge(verdict.validUntil, now) : 'a while ago'}. The next private request asks for a new one by itself.`
    case 'none':
      return `The first private request asks ${service?.enclaveHost ?? 'the enclave'} for its proof by itself. You can ask now.`
  }
}

function NoPolicy({ service }: { service: Status['service'] }) {
  return (
    <section className={styles.panel} data-standing="refused" aria-label="Verdict">
      <div className={styles.sign} aria-hidden><PrivacyGlyph privacy="refused" size={36} /></div>
      <div className={styles.words}>
        <h2 className={styles.headline}>Refused</h2>
        <p>No attestation policy says what the enclave of {service.name} must prove, so nothing can be sealed for it and no private model can be used. Choose a service with a policy in Settings.</p>
      </div>
    </section>
  )
}

function Proof({ verdict, now }: { verdict: Verdict; now: number }) {
  const { release, registers } = verdict
  const saving = useAction(() => saveProof())
  return (
    <section aria-label="What was shown">
      {!verdict.good && <p className={styles.claims}>{awaitsConsent(verdict) ? 'All of it was proven; your consent is missing.' : 'What the evidence claims. None of it counts as proven.'}</p>}
      <Facts>
        <Fact name="Enclave host">{verdict.enclaveHost}</Fact>
        <Fact name="Judged by">{verdict.trust === 'sandbox' ? 'Sandbox roots' : 'Built-in roots'}</Fact>
        {verdict.platform !== undefined && <Fact name="Platform">{verdict.platform}</Fact>}
        {release && (
          <>
            <Fact name="Release">{release.tag} of {release.repository} <ReleaseLink release={release} trust={verdict.trust} /></Fact>
            <HexFact name="Release file, SHA-256" hex={release.digest} />
            {release.loggedAt !== undefined && <Fact name="Logged at">{formatDateTime(release.loggedAt)}</Fact>}
          </>
        )}
        {!registers && verdict.measurement !== undefined && <HexFact name="Measurement" hex={verdict.measurement} />}
        {verdict.hpkePublicKey !== undefined && <HexFact name="Encryption key" hex={verdict.hpkePublicKey} />}
        {verdict.tlsKeyFingerprint !== undefined && <HexFact name="TLS key, SHA-256" hex={verdict.tlsKeyFingerprint} />}
        {verdict.freshness && <Fact name="Freshness">{freshnessWords(verdict.freshness)}</Fact>}
        <Fact name="Checked">{formatDateTime(verdict.verifiedAt)}, {formatAge(verdict.verifiedAt, now)}</Fact>
        {verdict.good && (
          <Fact name="Valid until">
            {formatDateTime(verdict.validUntil)}
            <span className={styles.left}>{now < verdict.validUntil ? `, ${formatDuration(verdict.validUntil - now)} left` : ', ended'}</span>
          </Fact>
        )}
        <HexFact name="Evidence, SHA-256" hex={verdict.evidenceDigest} />
      </Facts>
      {registers && <Registers registers={registers} />}
      {verdict.notices?.map(({ code, says }) => <p key={code} className={styles.notice} role="note"><strong>Note:</strong> {says} <code>{code}</code></p>)}
      <div className={styles.save}>
        <Button onClick={() => void saving.run()} busy={saving.busy && 'Saving…'}>Save this proof</Button>
        <p>One file with the evidence as it came, to be judged anew by anybody, offline: <code>sotto verify FILE</code>. It holds no message and no key of yours.</p>
      </div>
      {saving.failure && <FailureNote failure={saving.failure} />}
    </section>
  )
}

function freshnessWords(freshness: NonNullable<Verdict['freshness']>): string {
  if (freshness.kind === 'nonce-bound') return 'Made for this question: it holds a number that Sotto chose at random.'
  const newest = Math.max(freshness.logTime ?? 0, freshness.tlsNotBefore ?? 0)
  return newest === 0
    ? 'Nothing says how old the evidence is.'
    : `At least as new as ${formatDateTime(newest)}, the ${newest === freshness.logTime ? 'time of the release’s log entry' : 'start of the enclave’s certificate'}. It is not bound to this question: the service may show evidence again that it has shown before.`
}
