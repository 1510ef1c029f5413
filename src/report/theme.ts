/** Shared by the HTML report and the page of the mock: no fonts, images or addresses; light and dark. */
export const THEME: string = `
:root,.frame{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--sunk:#f1f3f6;--ink:#191c22;--soft:#596273;--line:#dfe3ea;--accent:#3451d1;
--error:#b91f33;--error-bg:#fdecee;--warning:#8f5600;--warning-bg:#fff3dd;--info:#1d5fa8;--info-bg:#e8f1fc;--good:#14713f;--good-bg:#e3f5ea;
--doc:#8590a2;--obs:#0f8f86;--ass:#d0660b;--ass-bg:#fbe3cd;--doc-ink:#596273;--obs-ink:#0b6e67;--ass-ink:#984600;--shadow:0 1px 2px #0f172a0f,0 4px 16px #0f172a0a;
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
@media (prefers-color-scheme:dark){:root,.frame{--bg:#0f1217;--card:#171b22;--sunk:#11151b;--ink:#e7eaf0;--soft:#9aa5b6;--line:#2a313c;--accent:#93a8ff;
--error:#ff7d88;--error-bg:#34171c;--warning:#f3b654;--warning-bg:#31240f;--info:#7cb9fa;--info-bg:#13263b;--good:#5bd394;--good-bg:#11291d;
--doc:#768295;--obs:#35c4b8;--ass:#ef8a3d;--ass-bg:#4a2a10;--doc-ink:#9aa5b6;--obs-ink:#35c4b8;--ass-ink:#f4a365;--shadow:none}}
*{box-sizing:border-box}[hidden]{display:none!important}
html{-webkit-text-size-adjust:100%;scroll-padding-top:4rem}
body,.frame{margin:0;background:var(--bg);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;overflow-wrap:anywhere}
h1,h2,h3,p,dl,ul{margin:0}
a{color:var(--accent)}
code,pre{font-family:var(--mono);font-size:.86em}
.skip{position:absolute;left:-999px}.skip:focus{left:1em;top:1em;background:var(--card);padding:.5em 1em;z-index:9}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;box-shadow:var(--shadow)}
.chip{--tone:var(--soft);--tone-bg:var(--sunk);display:inline-block;flex:none;border-radius:6px;padding:.05em .6em;font-size:.85em;font-weight:600;white-space:nowrap;text-decoration:none;background:var(--tone-bg);color:var(--tone)}
.good{--tone:var(--good);--tone-bg:var(--good-bg)}.info{--tone:var(--info);--tone-bg:var(--info-bg)}
.warning{--tone:var(--warning);--tone-bg:var(--warning-bg)}.error{--tone:var(--error);--tone-bg:var(--error-bg)}
table{border-collapse:collapse;width:100%}th{font-weight:500;color:var(--soft);text-align:left}
th,td{padding:.35em .85em .35em 0;vertical-align:top;border-bottom:1px solid var(--line);overflow-wrap:break-word}
@container (max-width:670px){.stacked,.stacked tbody{display:block}.stacked thead{display:none}
.stacked tr{display:flex;flex-wrap:wrap;align-items:baseline;gap:.2em .8em;padding:.5em 0;border-bottom:1px solid var(--line)}
.stacked td{padding:0;border:0;max-width:100%}.stacked td:has(code){flex:1 0 100%}}
details>summary{cursor:pointer;list-style:none;display:flex;align-items:baseline;gap:.6em;flex-wrap:wrap}
details>summary::-webkit-details-marker{display:none}
details>summary::before{content:"";flex:none;width:.42em;height:.42em;border:solid var(--soft);border-width:0 2px 2px 0;transform:rotate(-45deg) translateY(-.1em)}
details[open]>summary::before{transform:rotate(45deg) translateY(-.15em)}
.tools{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1.1rem;margin:0 0 1rem;font-size:.92rem}
`;
