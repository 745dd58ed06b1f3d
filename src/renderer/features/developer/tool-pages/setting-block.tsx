import { t } from '@lingui/core/macro'
import { CopyButton } from '../../../ui/copy-button.tsx'
import type { Setting } from '../tools/index.ts'
import styles from './setting-block.module.css'

/** One thing to copy, with its place. `whole` is what is copied; without it, there is nothing to copy yet. */
export function SettingBlock({ setting, whole }: { setting: Setting; whole: Setting | undefined }) {
  const { place, text, fields } = setting
  return (
    <figure className={styles.block}>
      <figcaption className={styles.place}>
        <bdi>{place}</bdi>
        {whole?.text !== undefined && <CopyButton label={t`Copy: ${place}`} word text={() => whole.text} />}
      </figcaption>
      {text !== undefined && (
        <pre className={styles.text} tabIndex={0} role="region" aria-label={place}>
          <code>{text}</code>
        </pre>
      )}
      {fields && (
        <dl className={styles.fields}>
          {fields.map(({ name, value }, index) => (
            <div key={name} className={styles.field}>
              <dt>{name}</dt>
              <dd>
                <code>{value}</code>
                {whole?.fields && (
                  <CopyButton label={t`Copy ${name}`} text={() => whole.fields[index]?.value ?? ''} />
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </figure>
  )
}
