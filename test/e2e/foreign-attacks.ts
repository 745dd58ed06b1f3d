/**
 * The attacks that a foreign page can try on an address of this machine. It runs in the page, so it can't use
 * anything outside the function. Each attempt names itself in the address. When the promise resolves, each
 * attempt has ended or at least started.
 */
export async function attack({
  target,
  key,
  model,
}: {
  target: string
  key: string
  model: string
}): Promise<Record<string, string>> {
  const outcome: Record<string, string> = {}
  const body = JSON.stringify({ model, max_tokens: 5, messages: [{ role: 'user', content: 'hello' }] })
  const chat = (name: string): string => `${target}/v1/chat/completions?a=${name}`
  const models = (name: string): string => `${target}/v1/models?a=${name}`
  const timeouts = (): Promise<string> => new Promise((resolve) => setTimeout(resolve, 5_000, 'no answer'))
  const tried = async (name: string, attempt: () => Promise<string>): Promise<void> => {
    outcome[name] = await Promise.race([attempt().catch(() => 'blocked'), timeouts()])
  }
  const asked = (name: string, url: string, init: RequestInit): Promise<void> =>
    tried(name, async () => {
      const response = await fetch(url, init)
      return `${response.type} ${String(response.status)} ${(await response.text()).slice(0, 200)}`
    })
  const withKey = { authorization: `Bearer ${key}` }

  await Promise.all([
    asked('fetch-simple', chat('fetch-simple'), { method: 'POST', body }),
    asked('fetch-no-cors', chat('fetch-no-cors'), { method: 'POST', mode: 'no-cors', body }),
    asked('fetch-credentials', chat('fetch-credentials'), {
      method: 'POST',
      mode: 'no-cors',
      credentials: 'include',
      body,
    }),
    asked('fetch-keepalive', chat('fetch-keepalive'), {
      method: 'POST',
      mode: 'no-cors',
      keepalive: true,
      body,
    }),
    asked('fetch-form', chat('fetch-form'), {
      method: 'POST',
      mode: 'no-cors',
      body: new URLSearchParams({ model, messages: body }),
    }),
    asked('fetch-multipart', `${target}/v1/audio/transcriptions?a=fetch-multipart`, {
      method: 'POST',
      mode: 'no-cors',
      body: (() => {
        const form = new FormData()
        form.append('model', model)
        form.append('file', new Blob(['x'], { type: 'audio/wav' }), 'a.wav')
        return form
      })(),
    }),
    asked('fetch-json-with-key', chat('fetch-json-with-key'), {
      method: 'POST',
      headers: { ...withKey, 'content-type': 'application/json' },
      body,
    }),
    asked('fetch-x-api-key', `${target}/v1/messages?a=fetch-x-api-key`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body,
    }),
    asked('fetch-get', models('fetch-get'), {}),
    asked('fetch-get-with-key', models('fetch-get-with-key'), { headers: withKey }),
    asked('fetch-metrics', `${target}/metrics?a=fetch-metrics`, { headers: withKey }),
    asked('fetch-health', `${target}/health?a=fetch-health`, {}),
  ])

  await tried(
    'xhr',
    () =>
      new Promise((resolve) => {
        const request = new XMLHttpRequest()
        request.open('POST', chat('xhr'))
        request.upload.addEventListener('load', () => undefined)
        request.withCredentials = true
        request.addEventListener('loadend', () =>
          resolve(`xhr ${String(request.status)} ${request.responseText.slice(0, 200)}`),
        )
        request.send(body)
      }),
  )
  outcome['beacon'] = String(navigator.sendBeacon(chat('beacon'), body))
  outcome['beacon-blob'] = String(
    navigator.sendBeacon(chat('beacon-blob'), new Blob([body], { type: 'text/plain' })),
  )
  await tried(
    'worker',
    () =>
      new Promise((resolve) => {
        const code = `fetch(${JSON.stringify(chat('worker'))}, { method: 'POST', mode: 'no-cors', body: ${JSON.stringify(body)} }).then((r) => postMessage(r.type + ' ' + r.status), () => postMessage('blocked'))`
        new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))).addEventListener(
          'message',
          (event: MessageEvent<string>) => resolve(event.data),
        )
      }),
  )
  await tried(
    'websocket',
    () =>
      new Promise((resolve) => {
        const socket = new WebSocket(chat('websocket').replace('http', 'ws'))
        socket.addEventListener('open', () => resolve('open'))
        socket.addEventListener('error', () => resolve('blocked'))
      }),
  )
  await tried(
    'event-source',
    () =>
      new Promise((resolve) => {
        const source = new EventSource(models('event-source'))
        const end = (what: string) => (): void => {
          source.close()
          resolve(what)
        }
        source.addEventListener('open', end('open'))
        source.addEventListener('error', end('blocked'))
      }),
  )

  for (const [name, tag, attribute] of [
    ['image', 'img', 'src'],
    ['script', 'script', 'src'],
    ['style', 'link', 'href'],
    ['video', 'video', 'src'],
    ['object', 'object', 'data'],
    ['frame', 'iframe', 'src'],
  ] as const) {
    await tried(
      name,
      () =>
        new Promise((resolve) => {
          const element = document.createElement(tag)
          if (tag === 'link') element.setAttribute('rel', 'stylesheet')
          for (const event of ['load', 'loadeddata', 'error'])
            element.addEventListener(event, () => resolve(event))
          element.setAttribute(attribute, models(name))
          document.body.append(element)
        }),
    )
  }

  const posted = (
    name: string,
    enctype: string,
    into: Document,
    fields: Record<string, string>,
  ): Promise<void> =>
    tried(
      name,
      () =>
        new Promise((resolve) => {
          const frame = into.createElement('iframe')
          frame.name = `${name}-frame`
          const form = into.createElement('form')
          Object.assign(form, { method: 'POST', enctype, action: chat(name), target: frame.name })
          for (const [field, value] of Object.entries(fields)) {
            const input = into.createElement('input')
            Object.assign(input, { type: 'hidden', name: field, value })
            form.append(input)
          }
          into.body.append(frame, form)
          frame.addEventListener('load', () => resolve('loaded'))
          form.submit()
        }),
    )
  await posted('form-urlencoded', 'application/x-www-form-urlencoded', document, { model, messages: body })
  await posted('form-multipart', 'multipart/form-data', document, { model, messages: body })
  // The "=" between a field's name and its value is inside a JSON string, so the text is valid JSON.
  await posted('form-text', 'text/plain', document, { [`${body.slice(0, -1)},"x":"`]: '"}' })

  await tried(
    'sandboxed-frame',
    () =>
      new Promise((resolve) => {
        const frame = document.createElement('iframe')
        frame.setAttribute('sandbox', 'allow-scripts allow-forms')
        frame.srcdoc = `<body><form method="POST" enctype="text/plain" action="${chat('sandboxed-form')}" target="_self"><input type="hidden" name="x" value="y"></form><script>
      fetch(${JSON.stringify(chat('sandboxed-fetch'))}, { method: 'POST', mode: 'no-cors', body: ${JSON.stringify(body)} }).then((r) => r.type + ' ' + r.status, () => 'blocked')
        .then((told) => { parent.postMessage(told, '*'); document.forms[0].submit() })
    </script>`
        addEventListener(
          'message',
          (event: MessageEvent<unknown>) => typeof event.data === 'string' && resolve(event.data),
        )
        document.body.append(frame)
      }),
  )
  return outcome
}
