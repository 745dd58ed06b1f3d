import { t } from '@lingui/core/macro'
import { chatRoutes, type ChatRoute } from '../../../../shared/chat-route.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { explained } from './explained.tsx'
import styles from './other-models.module.css'
import { setChatRoute } from './service-enclave-acts.ts'

const labels: Readonly<Record<ChatRoute, { readonly name: string; readonly means: string }>> = {
  relayed: {
    get name() {
      return t`Provider only`
    },
    get means() {
      return t`If the enclave can’t be verified, nothing is sent.`
    },
  },
  'relayed-if-verified': {
    get name() {
      return t`Provider only, or visible if the enclave can’t be verified`
    },
    get means() {
      return t`Anyone who can disrupt the verification can make these chats visible to the service.`
    },
  },
  forwarded: {
    get name() {
      return t`Visible to the service`
    },
    get means() {
      return t`The enclave isn’t used. The service and the model’s provider can read these chats.`
    },
  },
}

/** Who can read chat with other models. To let the service read more is confirmed outside the window. */
export function RouteChoice({ route }: { route: ChatRoute }) {
  const choosing = useAction((chosen: ChatRoute) => setChatRoute(chosen))
  return (
    <div className={styles.choice}>
      <h3 className={styles.heading}>{t`Privacy of these chats`}</h3>
      <RadioGroup
        label={t`Privacy of these chats`}
        name="chat-route"
        className={styles.options}
        options={chatRoutes.map((id) => ({ id, name: explained(labels[id]), disabled: choosing.busy }))}
        chosen={route}
        onChoose={(chosen) => void choosing.run(chosen)}
      />
      {choosing.failure && <FailureNote failure={choosing.failure} />}
    </div>
  )
}
