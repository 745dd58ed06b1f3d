import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { isDirect } from '../../../shared/direct.ts'
import type { ServiceChoice } from '../../../shared/profile.ts'
import { api } from '../api.ts'
import { Button } from '../button.tsx'
import { confirmable } from '../confirmation-store.ts'
import { FailureNote } from '../failure-note.tsx'
import { Field, Form } from '../field.tsx'
import { HeldSecret } from '../held-secret.ts'
import { SelectField } from '../select.tsx'
import { Skeleton } from '../skeleton.tsx'
import { setStatus, useStatus } from '../status-store.ts'
import { useAction } from '../use-action.ts'
import styles from './forms.module.css'
import type { Credentials } from './new-credentials.tsx'
import { chooseService, useServices } from './use-services.ts'

const LEAST = 8

interface AccountFormProps {
  /** Also called if the account was connected or created in another way in the meantime. */
  done: () => Promise<void> | void
}

/** Connects an existing account. The API key goes through the UI server into the vault; this page doesn't keep it. */
export function ConnectForm({ done }: AccountFormProps) {
  const service = useServiceChoice()
  const direct = service.options?.find(({ id }) => id === service.selected)?.direct === true
  const [apiKey, setApiKey] = useState('')
  const [creditId, setCreditId] = useState('')
  const [tried, setTried] = useState(false)
  const shortId = creditId.trim() !== '' && creditId.trim().length < LEAST
  const connect = useAction(async () => {
    await service.choose()
    setStatus(
      await confirmable((signal) =>
        api.accounts.connect(
          { apiKey: apiKey.trim(), ...(creditId.trim() && !direct ? { creditId: creditId.trim() } : {}) },
          { signal },
        ),
      ),
    )
    setApiKey('')
    setCreditId('')
    await done()
  })
  return (
    <Form
      className={styles.form}
      onSubmit={() => {
        setTried(true)
        if (direct || !shortId) void connect.run()
      }}
    >
      <ServiceChoice service={service} />
      <Field
        label={t`API key`}
        type="password"
        value={apiKey}
        onChange={(event) => setApiKey(event.target.value)}
        required
        maxLength={200}
        hint={
          direct
            ? t`Create it at the provider. It’s stored in Sotto’s vault and sent only to the provider’s enclaves.`
            : t`Find it on the service’s account page. It’s stored in Sotto’s vault and sent only to this service.`
        }
      />
      {!direct && (
        <Field
          label={t`Credit ID (optional)`}
          type="password"
          value={creditId}
          onChange={(event) => setCreditId(event.target.value)}
          maxLength={200}
          hint={t`Lets Sotto manage the account’s API keys and automatic top-up.`}
          fault={tried && shortId ? t`A credit ID has at least 8 characters.` : undefined}
        />
      )}
      {connect.failure && <FailureNote failure={connect.failure} />}
      <div className={styles.actions}>
        <Button
          kind="primary"
          type="submit"
          busy={connect.busy && t`Connecting…`}
          disabled={!service.ready || apiKey.trim().length < LEAST}
        >
          <Trans>Connect</Trans>
        </Button>
      </div>
    </Form>
  )
}

export interface MadeAccount {
  readonly accountId: string
  readonly credentials: HeldSecret<Credentials>
}

/**
 * Has the service create an account.
 *
 * @param onMade gets the credentials. They arrive only this once, so the parent component must show them next.
 */
export function CreateForm({ onMade }: { onMade: (newAccount: MadeAccount) => void }) {
  const service = useServiceChoice({ withAccounts: true })
  const memory = useStatus((state) => state.status?.vault.kind === 'memory')
  const create = useAction(async () => {
    await service.choose()
    const { status, account, credentials } = await confirmable((signal) =>
      api.accounts.create(undefined, { signal }),
    )
    onMade({ accountId: account.id, credentials: new HeldSecret(credentials) })
    setStatus(status)
  })
  return (
    <div className={styles.form}>
      <ServiceChoice service={service} />
      <p className={styles.hint}>
        <Trans>
          The service creates an account without a name or address. Its credentials are the only proof that
          it’s yours. You’ll see them next.
        </Trans>
        {memory && (
          <>
            {' '}
            <Trans>
              Sotto can’t save these credentials yet. When Sotto quits, you lose the account and its balance
              unless you saved them. Protect Sotto with a passphrase first.
            </Trans>
          </>
        )}
      </p>
      {create.failure && <FailureNote failure={create.failure} />}
      <div className={styles.actions}>
        <Button
          kind="primary"
          onClick={() => void create.run()}
          busy={create.busy && t`Creating…`}
          disabled={!service.ready}
        >
          <Trans>Create account</Trans>
        </Button>
      </div>
    </div>
  )
}

/** Uses a service without an account there. Saved accounts remain. */
export function WithoutAccountForm({ done }: AccountFormProps) {
  const service = useServiceChoice({ withAccounts: true })
  const start = useAction(async () => {
    await service.choose()
    if (useStatus.getState().status?.account.connected === true) setStatus(await api.accounts.disconnect())
    await done()
  })
  return (
    <div className={styles.form}>
      <ServiceChoice service={service} />
      {start.failure && <FailureNote failure={start.failure} />}
      <div className={styles.actions}>
        <Button
          kind="primary"
          onClick={() => void start.run()}
          busy={start.busy && t`Starting…`}
          disabled={!service.ready}
        >
          <Trans>Start without an account</Trans>
        </Button>
      </div>
    </div>
  )
}

interface Choice {
  readonly options: readonly ServiceChoice[] | undefined
  readonly selected: string | undefined
  readonly select: (id: string) => void
  readonly choose: () => Promise<void>
  readonly ready: boolean
  readonly failure: ReturnType<typeof useServices>['failure']
  readonly refresh: () => void
}

/** @param withAccounts only services that create accounts, or sell without one */
function useServiceChoice({ withAccounts = false } = {}): Choice {
  const { choices, failure, refresh } = useServices()
  const current = useStatus((state) => state.status?.service)
  const [picked, setPicked] = useState<string>()
  const options = choices?.filter(
    (choice) => choice.kind === 'service' && !(withAccounts && isDirect(choice)),
  )
  const selected = picked ?? (options?.find(({ id }) => id === current?.profileId) ?? options?.[0])?.id
  return {
    options,
    selected,
    select: setPicked,
    choose: async () => {
      if (selected !== undefined) await chooseService(selected)
    },
    ready: selected !== undefined,
    failure,
    refresh,
  }
}

function ServiceChoice({ service }: { service: Choice }) {
  const current = useStatus((state) => state.status?.service.profileId)
  const chosen = service.options?.find((option) => option.id === service.selected)
  if (service.failure) return <FailureNote failure={service.failure} onRetry={service.refresh} />
  if (!service.options) return <Skeleton label={t`Loading services…`} />
  if (service.options.length === 0)
    return (
      <p className={styles.hint}>
        <Trans>No services available except demo mode.</Trans>
      </p>
    )
  return (
    <SelectField
      label={t`Service`}
      value={service.selected}
      onChange={(event) => service.select(event.target.value)}
      hint={
        <>
          {chosen?.baseUrl !== undefined && <code>{chosen.baseUrl}</code>}
          {chosen && chosen.id !== current && (
            <>
              {chosen.baseUrl !== undefined && <br />}
              <Trans>You’ll confirm this change outside this window.</Trans>
            </>
          )}
        </>
      }
    >
      {service.options.map((option) => (
        <option key={option.id} value={option.id}>
          {option.name}
        </option>
      ))}
    </SelectField>
  )
}
