export interface Snippet {
  readonly id: 'curl' | 'python' | 'javascript' | 'environment'
  readonly name: string
  readonly text: string
}

/**
 * Ways to call the local API, ready to run. `key` stands in them as it is given: masked for the eye, whole for the copy.
 * The model's name is the service's word: it is quoted so that no shell or program takes it for anything but a name.
 */
export function snippets({ baseUrl, key, model }: { baseUrl: string; key: string; model: string }): readonly Snippet[] {
  const body = `{"model": ${JSON.stringify(model)}, "messages": [{"role": "user", "content": "Say hello."}]}`
  return [
    {
      id: 'curl',
      name: 'curl',
      text: `curl -i ${baseUrl}/chat/completions \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d ${shellQuote(body)}`,
    },
    {
      id: 'python',
      name: 'Python',
      text: `from openai import OpenAI

client = OpenAI(base_url="${baseUrl}", api_key="${key}")
answer = client.chat.completions.create(
    model=${JSON.stringify(model)},
    messages=[{"role": "user", "content": "Say hello."}],
)
print(answer.choices[0].message.content)`,
    },
    {
      id: 'javascript',
      name: 'JavaScript',
      text: `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${baseUrl}', apiKey: '${key}' })
const answer = await client.chat.completions.create({
  model: ${JSON.stringify(model)},
  messages: [{ role: 'user', content: 'Say hello.' }],
})
console.log(answer.choices[0].message.content)`,
    },
    {
      id: 'environment',
      name: 'Environment',
      text: `export OPENAI_BASE_URL='${baseUrl}'
export OPENAI_API_BASE='${baseUrl}'
export OPENAI_API_KEY='${key}'
export OPENAI_MODEL=${shellQuote(model)}`,
    },
  ]
}

/** POSIX shell, 2.2.2: between single quotes every character stands for itself. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** A key of which only the beginning can be read. */
export function maskKey(key: string): string {
  const shown = key.slice(0, Math.min(6, Math.floor(key.length / 3)))
  return `${shown}${'•'.repeat(12)}`
}
