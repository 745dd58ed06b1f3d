import { t } from '@lingui/core/macro'
import { Section } from '../../ui/view.tsx'
import { useDirect } from '../../ui/status-store.ts'
import styles from './not-proven.module.css'

const limits = [
  {
    get name() {
      return t`The model itself`
    },
    get says() {
      return t`Sotto verifies the router of the private path. The router verifies the enclaves that run the models and vouches for them. Sotto doesn’t see that evidence. Which weights run there, and on which GPU, isn’t verified here.`
    },
  },
  {
    get name() {
      return t`Metadata`
    },
    get says() {
      return t`The service sees your network address, your API key, and the model’s name. It also sees when and how much you send and receive.`
    },
  },
  {
    get name() {
      return t`Physical attacks`
    },
    get says() {
      return t`This hardware doesn’t protect against anyone who can open the server and tamper with its memory or bus.`
    },
  },
  {
    get name() {
      return t`Billing`
    },
    get says() {
      return t`The service does its own metering. Sotto shows the price and the cost but can’t prove either.`
    },
  },
  {
    get name() {
      return t`Accuracy`
    },
    get says() {
      return t`A reply from a verified enclave can still be wrong.`
    },
  },
] as const

/** Without a service, the provider's enclaves are all there is. */
const directLimits = [
  {
    get name() {
      return t`The model itself`
    },
    get says() {
      return t`The router’s verified code checks the enclaves that run the models. Sotto verifies such an enclave only if the model has a separate one. GPUs aren’t verified.`
    },
  },
  {
    get name() {
      return t`Metadata`
    },
    get says() {
      return t`The provider sees your network address and your API key. It also sees when and how much you send and receive.`
    },
  },
  {
    get name() {
      return t`The connection`
    },
    get says() {
      return t`Sotto seals each request to the attested key. It doesn’t compare the connection’s key, so anyone with a valid certificate for the host can see your API key.`
    },
  },
  limits[2],
  {
    get name() {
      return t`Billing`
    },
    get says() {
      return t`The provider does its own metering. Sotto computes the cost from the listed prices and can’t prove it.`
    },
  },
  limits[4],
] as const

/** The limits of the proof, in as much detail as the proof itself. */
export function NotProven() {
  const direct = useDirect()
  return (
    <Section title={t`Limits of this proof`}>
      <dl className={styles.limits}>
        {(direct ? directLimits : limits).map(({ name, says }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
