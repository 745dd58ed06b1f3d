import { memo, useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { Streamdown } from 'streamdown'

const gfm = [remarkGfm]

/** React renders a row again only if its own text changes: the usual optimization. */
const Row = memo(function Row({ text, streamdown }: { text: string; streamdown: boolean }) {
  return (
    <article>
      {streamdown ? (
        <Streamdown>{text}</Streamdown>
      ) : (
        <ReactMarkdown remarkPlugins={gfm}>{text}</ReactMarkdown>
      )}
    </article>
  )
})

function Field() {
  const [text, setText] = useState('')
  return <textarea rows={2} value={text} onChange={(event) => setText(event.target.value)} />
}

const streamdown = new URLSearchParams(location.search).get('with') === 'streamdown'

function Page() {
  const [messages, setMessages] = useState<readonly string[]>([])
  const list = useRef<HTMLDivElement>(null)
  // The end stays in view.
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight
  }, [messages])

  const open = async (name: string) =>
    setMessages(JSON.parse(await (await fetch(`/conversations/${name}`)).text()) as string[])
  const stream = async () => {
    setMessages((before) => [...before, ''])
    const { body } = await fetch('/stream')
    if (!body) return
    let rest = ''
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      const came = lines.map((line) => JSON.parse(line) as string).join('')
      setMessages((before) => [...before.slice(0, -1), `${before.at(-1) ?? ''}${came}`])
    }
  }
  return (
    <>
      <nav>
        {['small', 'many', 'long'].map((name) => (
          <button key={name} type="button" onClick={() => void open(name)}>
            {name}
          </button>
        ))}
        <button type="button" onClick={() => void stream()}>
          stream
        </button>
      </nav>
      <div id="messages" ref={list}>
        {messages.map((text, index) => (
          <Row key={index} text={text} streamdown={streamdown} />
        ))}
      </div>
      <Field />
    </>
  )
}

const root = document.getElementById('page')
if (root) createRoot(root).render(<Page />)
