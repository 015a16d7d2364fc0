// HTTP requests for preparing matches, several at a time.

const AT_ONCE = 32

export async function inParallel(items, work) {
  let next = 0
  const worker = async () => {
    while (next < items.length) await work(items[next++])
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

export async function post(url, body) {
  const response = await fetch(url, {
    method: 'POST',
    // The server might close a kept-alive connection just as we reuse it.
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.json()
}
