import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { documentation } from '../../../../shared/tools/documentation.ts'
import { listedFacts } from '../../../../shared/tools/facts.ts'
import { runnableTools } from '../../../../shared/tools/runnable.ts'
import { useScopedState } from '../../../data/use-answer.ts'
import { Button } from '../../../ui/button.tsx'
import { showLink } from '../../../ui/link-store.ts'
import { addressOf } from '../../../ui/route.ts'
import { keyOfTool, localKeys, newSecrets, useLocalAccess } from '../local-api-store.ts'
import { dialectNames, maskKey, type Tool } from '../tools/index.ts'
import { ModelChoice } from './model-choice.tsx'
import { SettingBlock } from './setting-block.tsx'
import { ToolKey } from './tool-key.tsx'
import styles from './tool-page.module.css'
import { TryIt } from './try-it.tsx'

/** In the settings until a key exists. */
const NO_KEY = 'your-key'

/** One tool: its key, its model, its settings, and a test request. */
export function ToolPage({ tool }: { tool: Tool }) {
  const { access, models } = useLocalAccess().data ?? {}
  const keys = useScopedState(localKeys)
  const secrets = useScopedState(newSecrets)
  const chosen = useScopedState(keyOfTool)[tool.id]
  const [picked, setPicked] = useState<string>()
  const [shown, setShown] = useState(false)
  const modelId = picked ?? access?.exampleModel
  const model = models?.find(({ id }) => id === modelId)
  const localKey = keys?.find(({ id, state }) => id === chosen && state === 'live')
  const secret = localKey && (localKey.first ? access?.key : secrets[localKey.id])
  const facts =
    access && modelId !== undefined
      ? { baseUrl: access.baseUrl, model: modelId, ...listedFacts(model) }
      : undefined
  const whole = facts && secret !== undefined ? tool.settings({ ...facts, key: secret }) : undefined
  const visible =
    facts &&
    tool.settings({ ...facts, key: secret === undefined ? NO_KEY : shown ? secret : maskKey(secret) })
  const command = runnableTools.find(({ id }) => id === tool.id)?.command
  const manual = documentation[tool.id]
  return (
    <section aria-label={tool.name}>
      <a className={styles.back} href={addressOf({ view: 'developer', part: 'tools' })}>
        <Trans>
          <ArrowLeft size={15} strokeWidth={1.75} aria-hidden />
          All tools
        </Trans>
      </a>
      <h2 className={styles.title}>{tool.name}</h2>
      <p className={styles.says}>
        <Trans>Uses the {dialectNames[tool.dialect]} API.</Trans>
        {manual !== undefined && (
          <>
            {' '}
            <Button
              kind="link"
              onClick={() => showLink(manual, msg`This is the tool’s documentation of these settings.`)}
            >
              <Trans>View documentation</Trans>
            </Button>
          </>
        )}
      </p>
      {command !== undefined && (
        <p className={styles.says}>
          <Trans>
            Or run <code>sotto run {command}</code> in a terminal. It needs none of the settings below.
          </Trans>
        </p>
      )}
      <ol className={styles.steps}>
        <li>
          <h3>
            <Trans>Local key</Trans>
          </h3>
          <ToolKey tool={tool} model={model} localKey={localKey} secret={secret} />
        </li>
        <li>
          <h3>
            <Trans>Model</Trans>
          </h3>
          <ModelChoice models={models} localKey={localKey} model={modelId} onPick={setPicked} />
        </li>
        <li>
          <h3>
            <Trans>Settings</Trans>
          </h3>
          {secret !== undefined && (
            <p className={styles.masked}>
              {shown
                ? t`The key is visible here. Copied settings include the full key.`
                : t`The key is hidden here. Copied settings include the full key.`}{' '}
              <Button kind="link" onClick={() => setShown(!shown)}>
                {shown ? t`Hide key` : t`Show key`}
              </Button>
            </p>
          )}
          {secret === undefined && (
            <p className={styles.masked}>
              <Trans>
                Create the key first. It then replaces <code>{NO_KEY}</code> below.
              </Trans>
            </p>
          )}
          {visible?.map((setting, index) => (
            <SettingBlock key={setting.place} setting={setting} whole={whole?.[index]} />
          ))}
          {tool.notes && (
            <ul className={styles.notes}>
              {tool.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          )}
        </li>
        <li>
          <h3>
            <Trans>Try it</Trans>
          </h3>
          <TryIt tool={tool} model={model} modelId={modelId} secret={secret} />
        </li>
      </ol>
    </section>
  )
}
