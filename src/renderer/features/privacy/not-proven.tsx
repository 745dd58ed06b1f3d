import { Section } from '../../ui/room.tsx'
import styles from './not-proven.module.css'

const limits = [
  ['The model itself', 'The enclave that is verified is the router of the private path. It checks the enclaves that run the models by itself and vouches for them; Sotto does not see that proof. Which weights run there, and on which graphics card, is not proven here.'],
  ['Everything but the body', 'The service sees your network address, your API key, the model’s name, and when and how much you send and receive.'],
  ['Attacks on the machine', 'Whoever can open the enclave’s machine and tamper with its memory or its bus is outside of what this hardware defends against.'],
  ['The bill', 'What the service charges is its own count. Sotto shows the price and the cost; it cannot prove either.'],
  ['The answer', 'That an answer came from the enclave says nothing about whether it is true.'],
] as const

/** As long as what is proven, and as plain. */
export function NotProven() {
  return (
    <Section title="What this does not prove">
      <dl className={styles.limits}>
        {limits.map(([name, says]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
