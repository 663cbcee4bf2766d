// A server in front of the built page that counts what arrives, and can change headers or add pages. Also a sink.
import { createServer } from 'node:http';

/**
 * `pages` maps a path to `{html, headers}`; `change` may alter the headers of what is passed on.
 * @returns {Promise<{url: string, requests: string[], close: () => Promise<void>}>}
 */
export async function front(base, { pages = {}, change = (_path, headers) => headers } = {}) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    requests.push(`${request.method} ${request.url}`);
    if (pages[pathname]) {
      const { html, headers = {} } = pages[pathname];
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers });
      return response.end(html);
    }
    const passed = await fetch(new URL(request.url.slice(1), base), { redirect: 'manual' });
    const headers = change(pathname, Object.fromEntries(passed.headers));
    for (const name of ['content-length', 'transfer-encoding', 'connection', 'etag']) delete headers[name];
    response.writeHead(passed.status, headers);
    return response.end(Buffer.from(await passed.arrayBuffer()));
  });
  server.on('upgrade', (request, socket) => {
    requests.push(`UPGRADE ${request.url}`);
    socket.destroy();
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    requests,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(done);
      }),
  };
}

/** A server that answers everything to everybody, so that whatever gets out of a browser is counted. */
export async function sink() {
  const requests = [];
  const answer = (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
    response.end('{}');
  };
  const server = createServer(answer);
  server.on('upgrade', (request, socket) => {
    requests.push(`UPGRADE ${request.url}`);
    socket.destroy();
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    requests,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(done);
      }),
  };
}
