// The address is the state: every filter, sort and page is in it, and a copied link shows the same.
import { useLayoutEffect, useState } from "preact/hooks";

export interface Address { path: string; query: URLSearchParams }

const listeners = new Set<() => void>();
const now = (): Address => ({ path: location.pathname, query: new URLSearchParams(location.search) });

export function link(path: string, fields: Record<string, string | number | undefined | null> | URLSearchParams = {}): string {
  const query = fields instanceof URLSearchParams ? fields : new URLSearchParams();
  if (!(fields instanceof URLSearchParams))
    for (const [key, value] of Object.entries(fields)) if (value !== undefined && value !== null && value !== "") query.append(key, String(value));
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

export function go(address: string, replaces = false) {
  if (replaces) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  listeners.forEach((listener) => listener());
}

// The same page with some fields changed; an empty one is taken out.
export function goWith(changes: Record<string, string | number | null>, replaces = false) {
  const { path, query } = now();
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === "") query.delete(key);
    else query.set(key, String(value));
  }
  go(link(path, query), replaces);
}

export function useAddress(): Address {
  const [address, set] = useState(now);
  useLayoutEffect(() => {
    const listener = () => set(now());
    listeners.add(listener);
    addEventListener("popstate", listener);
    return () => { listeners.delete(listener); removeEventListener("popstate", listener); };
  }, []);
  return address;
}

// Links inside the pages change the address without a new load.
export function followLinks(event: MouseEvent) {
  const anchor = (event.target as Element).closest?.("a");
  if (!anchor || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const href = anchor.getAttribute("href");
  if (!href || !href.startsWith("/") || anchor.hasAttribute("download") || anchor.target) return;
  event.preventDefault();
  go(href);
  scrollTo(0, 0);
}
