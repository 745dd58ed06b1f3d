import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react'
import type { ExtraProps } from 'react-markdown'
import { CopyButton } from '../../ui/copy-button.tsx'
import styles from './code-block.module.css'
import { wantHighlighter } from './highlight.ts'

/** Code with the name of its language and a way to copy it. */
export function CodeFrame({ language, text, children }: { language: string; text: () => string; children: ReactNode }) {
  return (
    <figure className={styles.frame}>
      <figcaption className={styles.head}>
        <span>{language || 'text'}</span>
        <CopyButton label="Copy code" word text={text} />
      </figcaption>
      <pre className={styles.code} tabIndex={0} aria-label={language ? `Code, ${language}` : 'Code'}>{children}</pre>
    </figure>
  )
}

/** What Markdown gives for a code block: `pre` around one `code`. */
export function CodeBlock({ node, children }: ComponentProps<'pre'> & ExtraProps) {
  const ref = useRef<HTMLDivElement>(null)
  const [code] = node?.children ?? []
  const names = code?.type === 'element' ? code.properties['className'] : undefined
  const language = Array.isArray(names) ? names.map(String).find((name) => name.startsWith('language-'))?.slice('language-'.length) : undefined
  useEffect(() => {
    if (language !== undefined) void wantHighlighter()
  }, [language])
  return (
    <div ref={ref}>
      <CodeFrame language={language ?? ''} text={() => ref.current?.querySelector('pre')?.textContent.replace(/\n$/, '') ?? ''}>{children}</CodeFrame>
    </div>
  )
}
