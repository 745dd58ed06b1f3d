import type { Status } from '../../../shared/status.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Fact, Facts, HexFact } from '../../ui/facts.tsx'
import { formatDuration } from '../../ui/format/time.ts'
import { PrivacyGlyph } from '../../ui/privacy-mark.tsx'
import { addressOf } from '../../ui/route.ts'
import { useStatus } from '../../ui/status-store.ts'
import { useNow } from '../../ui/use-now.ts'
import { standingOf } from '../../ui/verdict-standing.ts'
import { useVerdict } from '../../ui/verdict-store.ts'
import { reachWords } from './reach-words.ts'
import styles from './state-panel.module.css'

/** Whether it runs, where, how it is reached, what answers behind it, and whether private models can be used now; `brief`: where, and the last. */
export function StatePanel({ baseUrl, brief }: { baseUrl: string; brief: boolean }) {
  const status = useStatus((state) => state.status)
  const answers = useStatus((state) => state.failure === undefined)
  return (
    <div className={styles.panel}>
      <Facts>
        {(!brief || !answers) && <Fact name="State"><span className={styles.sign} data-running={answers} aria-hidden />{answers ? 'Running' : 'Sotto does not answer'}</Fact>}
        <Fact name="Base address">
          <span className={styles.value}><code>{baseUrl}</code><CopyButton label="Copy base address" text={() => baseUrl} /></span>
        </Fact>
        {!brief && status && <Fact name="Reached from">{reachWords(status.proxy)} Web pages that are not listed are refused, whatever key they carry.</Fact>}
        {!brief && status?.proxy.reach?.fingerprint && <HexFact name="Certificate, SHA-256" hex={status.proxy.reach.fingerprint.replaceAll(':', '').toLowerCase()} />}
        {!brief && status && <Fact name="Answers with">{serviceWords(status)}</Fact>}
        <Fact name="Private models"><Proof service={status?.service} /></Fact>
      </Facts>
    </div>
  )
}

function serviceWords({ service, account }: Status): string {
  if (service.kind === 'sandbox') return 'The sandbox: no real model, no real money'
  return `${service.name}, ${account.connected ? 'paid from the connected account' : 'with no account connected'}`
}

function Proof({ service }: { service: Status['service'] | undefined }) {
  const now = useNow(15_000)
  const verdict = useVerdict((state) => state.verdict)
  const standing = standingOf(verdict, now)
  const link = <a href={addressOf({ room: 'privacy' })}>Privacy</a>
  if (service?.revision === 'A') return <><Refused /> This service is of Revision A, which has none.</>
  if (service?.hasPolicy === false) return <><Refused /> No attestation policy says what this service’s enclave must prove.</>
  switch (standing) {
    case 'verified':
      return <><span className={styles.word} data-privacy="sealed"><PrivacyGlyph privacy="sealed" />Verified</span> for another {formatDuration((verdict?.validUntil ?? now) - now)}. Requests to them are sealed. {link}</>
    case 'refused':
      return <><Refused /> {verdict?.failure?.says ?? 'The enclave did not prove what it must prove.'} {link}</>
    case 'ended':
      return <>Not checked now. The next private request asks for a new proof by itself. {link}</>
    case 'none':
      return <>Not yet checked. The first private request asks for the proof by itself. {link}</>
  }
}

function Refused() {
  return <span className={styles.word} data-privacy="refused"><PrivacyGlyph privacy="refused" />Refused</span>
}
