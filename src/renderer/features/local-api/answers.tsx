import { Fact, Facts } from '../../ui/facts.tsx'
import { PrivacyMark } from '../../ui/privacy-mark.tsx'
import { Section } from '../../ui/room.tsx'
import styles from './answers.module.css'

/** How a program learns what became of its request. */
export function Answers() {
  return (
    <Section title="What an answer says of its privacy" says="Every answer carries these headers. With curl, -i shows them.">
      <Facts>
        <Fact name="X-Sotto-Privacy">
          <ul className={styles.words}>
            <li><PrivacyMark privacy="sealed" /> <code>sealed</code> Only the proven enclave could read the request.</li>
            <li><PrivacyMark privacy="forwarded" /> <code>forwarded</code> The service could read it.</li>
            <li><PrivacyMark privacy="refused" /> <code>refused</code> It was not sent; the error says why.</li>
          </ul>
        </Fact>
        <Fact name="X-Sotto-Receipt">The receipt of this request, which the list of requests opens.</Fact>
        <Fact name="Server-Timing">The milliseconds that Sotto added.</Fact>
        <Fact name="X-Sotto-Service"><code>sandbox</code>, where the sandbox answered. Absent otherwise.</Fact>
      </Facts>
      <p className={styles.note}>A model whose name begins with <code>private/</code> is sealed or refused, never forwarded. It is served for conversations; plugins, such as web search, are refused with it.</p>
    </Section>
  )
}
