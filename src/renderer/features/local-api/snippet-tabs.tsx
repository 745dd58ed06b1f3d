import { Tabs } from 'radix-ui'
import { CopyButton } from '../../ui/copy-button.tsx'
import styles from './snippet-tabs.module.css'
import { snippets } from './snippets.ts'

type Parts = Parameters<typeof snippets>[0]

export function Snippets({ shown, copied }: { shown: Parts; copied: Parts }) {
  const whole = snippets(copied)
  return (
    <Tabs.Root defaultValue="curl" className={styles.tabs}>
      <Tabs.List className={styles.names} aria-label="Ways to call it">
        {whole.map(({ id, name }) => <Tabs.Trigger key={id} value={id} className={styles.name}>{name}</Tabs.Trigger>)}
      </Tabs.List>
      {snippets(shown).map(({ id, name, text }, index) => (
        <Tabs.Content key={id} value={id} className={styles.snippet} tabIndex={-1}>
          <div className={styles.copy}><CopyButton label={`Copy ${name}`} word text={() => whole[index]?.text ?? ''} /></div>
          <pre className={styles.code} tabIndex={0} aria-label={name}><code>{text}</code></pre>
        </Tabs.Content>
      ))}
    </Tabs.Root>
  )
}
