import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Fact, Facts } from '../../ui/facts.tsx'
import { PrivacyMark } from '../../ui/privacy-mark.tsx'
import { Section } from '../../ui/view.tsx'
import styles from './answers.module.css'

/** How a program learns the outcome of its request. */
export function Answers() {
  return (
    <Section
      title={t`Privacy headers`}
      description={t`Every response includes these headers. With curl, use -i to see them.`}
    >
      <Facts>
        <Fact name="X-Sotto-Privacy">
          <ul className={styles.words}>
            <li>
              <Trans>
                <PrivacyMark privacy="sealed" /> <code>sealed</code> Only the verified enclave could read the
                request.
              </Trans>
            </li>
            <li>
              <Trans>
                <PrivacyMark privacy="relayed" /> <code>relayed</code> The model’s provider could read the
                request; the service couldn’t.
              </Trans>
            </li>
            <li>
              <Trans>
                <PrivacyMark privacy="forwarded" /> <code>forwarded</code> The service and the model’s
                provider could read the request.
              </Trans>
            </li>
            <li>
              <Trans>
                <PrivacyMark privacy="refused" /> <code>refused</code> The request wasn’t sent. The error
                explains why.
              </Trans>
            </li>
          </ul>
        </Fact>
        <Fact name="X-Sotto-Receipt">
          <Trans>The receipt of this request. Open it from the request list.</Trans>
        </Fact>
        <Fact name="Server-Timing">
          <Trans>Milliseconds added by Sotto.</Trans>
        </Fact>
        <Fact name="X-Sotto-Service">
          <Trans>
            <code>sandbox</code> in demo mode. Otherwise absent.
          </Trans>
        </Fact>
      </Facts>
      <p className={styles.note}>
        <Trans>
          Requests to models that begin with <code>private/</code> are sealed or refused, never relayed or
          forwarded. These models support chat only; plugins such as web search are refused.
        </Trans>
      </p>
    </Section>
  )
}
