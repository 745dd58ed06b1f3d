import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Fact, Facts } from '../../ui/facts.tsx'
import { PrivacyMark } from '../../ui/privacy-mark.tsx'
import { Section } from '../../ui/room.tsx'
import styles from './answers.module.css'

/** How a program learns what became of its request. */
export function Answers() {
  return (
    <Section title={t`What an answer says of its privacy`} says={t`Every answer carries these headers. With curl, -i shows them.`}>
      <Facts>
        <Fact name="X-Sotto-Privacy">
          <ul className={styles.words}>
            <li><Trans><PrivacyMark privacy="sealed" /> <code>sealed</code> Only the proven enclave could read the request.</Trans></li>
            <li><Trans><PrivacyMark privacy="forwarded" /> <code>forwarded</code> The service could read it.</Trans></li>
            <li><Trans><PrivacyMark privacy="refused" /> <code>refused</code> It was not sent; the error says why.</Trans></li>
          </ul>
        </Fact>
        <Fact name="X-Sotto-Receipt"><Trans>The receipt of this request, which the list of requests opens.</Trans></Fact>
        <Fact name="Server-Timing"><Trans>The milliseconds that Sotto added.</Trans></Fact>
        <Fact name="X-Sotto-Service"><Trans><code>sandbox</code>, where the sandbox answered. Absent otherwise.</Trans></Fact>
      </Facts>
      <p className={styles.note}><Trans>A model whose name begins with <code>private/</code> is sealed or refused, never forwarded. It is served for conversations; plugins, such as web search, are refused with it.</Trans></p>
    </Section>
  )
}
