import { t } from '@lingui/core/macro'
import { Section } from '../../ui/room.tsx'
import styles from './not-proven.module.css'

const limits = [
  { get name() { return t`The model itself` }, get says() { return t`The enclave that is verified is the router of the private path. It checks the enclaves that run the models by itself and vouches for them; Sotto does not see that proof. Which weights run there, and on which graphics card, is not proven here.` } },
  { get name() { return t`Everything but the body` }, get says() { return t`The service sees your network address, your API key, the model’s name, and when and how much you send and receive.` } },
  { get name() { return t`Attacks on the machine` }, get says() { return t`Whoever can open the enclave’s machine and tamper with its memory or its bus is outside of what this hardware defends against.` } },
  { get name() { return t`The bill` }, get says() { return t`What the service charges is its own count. Sotto shows the price and the cost; it cannot prove either.` } },
  { get name() { return t`The answer` }, get says() { return t`That an answer came from the enclave says nothing about whether it is true.` } },
] as const

/** As long as what is proven, and as plain. */
export function NotProven() {
  return (
    <Section title={t`What this does not prove`}>
      <dl className={styles.limits}>
        {limits.map(({ name, says }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
