import { THEME } from './theme.ts';

export const STYLE: string = `${THEME}.wrap{max-width:70rem;margin:0 auto;padding:0 1.25rem}

.hero{border-top:6px solid var(--tone);background:linear-gradient(var(--tone-bg),transparent)}
.drift{--tone:var(--error);--tone-bg:var(--error-bg)}.inconclusive,.interrupted,.warned{--tone:var(--warning);--tone-bg:var(--warning-bg)}.agrees{--tone:var(--good);--tone-bg:var(--good-bg)}
.hero .wrap{padding-top:2rem;padding-bottom:1.5rem}
.eyebrow{color:var(--soft);font-size:.85rem}
h1{font-size:clamp(1.9rem,5vw,2.6rem);line-height:1.15;letter-spacing:-.02em;color:var(--tone);margin:.35rem 0 .4rem}
.lead{font-size:1.15rem;max-width:50rem}
.hero dl{grid-template-columns:repeat(auto-fit,minmax(min(100%,16rem),1fr));gap:.8rem;margin-top:1.2rem}
.hero dl div{display:block;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:.6rem .9rem}.hero dl .wide{grid-column:1/-1}

nav{position:sticky;top:0;z-index:5;background:var(--bg);border-bottom:1px solid var(--line)}
nav .wrap{display:flex;flex-wrap:wrap;gap:.1rem 1.4rem;padding-top:.55rem;padding-bottom:.55rem}
nav a{color:var(--soft);text-decoration:none;font-size:.92rem;white-space:nowrap}nav a:hover{color:var(--ink)}nav b{color:var(--ink);font-weight:600}

section{margin:2.2rem 0}h2{font-size:1.35rem;margin-bottom:.6rem}
.card{overflow:hidden}.card>ul,.card>p,.card>table{margin:.8rem 1.1rem}.card>table,.op>table{width:calc(100% - 2.2rem)}
ul{padding-left:1.1rem}li{margin:.2rem 0}.none{color:var(--soft)}
.tools label{display:flex;align-items:center;gap:.4rem;white-space:nowrap;cursor:pointer}
.tools input[type=search]{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.35rem .7rem;width:min(100%,20rem)}
.tools output{color:var(--soft)}

.op+.op,.op+.f,.f+.op,ul+.op,p+.op{border-top:1px solid var(--line)}.op>summary{padding:.7rem 1.1rem;font-weight:600}.op>:not(summary,.f,.op){margin:.4rem 1.1rem .9rem}
.f{padding:.9rem 1.1rem;border-left:4px solid var(--tone,var(--line));border-top:1px solid var(--line)}
.many .f{content-visibility:auto;contain-intrinsic-size:auto 15rem}
.f h3{font-size:1rem;font-weight:500}.f:target{background:var(--sunk)}.f p{margin:.35rem 0 .6rem}
dl{display:grid;gap:.15rem;font-size:.92rem}dl div{display:grid;grid-template-columns:6rem 1fr;gap:.6rem}dt{color:var(--soft);font-size:.86rem}dd{margin:0;min-width:0}
.repeat{margin-top:.5rem;font-size:.86rem}.repeat pre{margin:.4rem 0 0;padding:.6rem .75rem;white-space:pre-wrap;background:var(--sunk);border:1px solid var(--line);border-radius:8px;user-select:all}
main{container-type:inline-size}table{font-size:.9rem}th{font-size:.82rem}tr:last-child>td{border-bottom:0}
td code{overflow-wrap:anywhere}.nb{white-space:nowrap}
progress{appearance:none;width:6rem;max-width:100%;height:8px;border:0;border-radius:4px;background:var(--line);overflow:hidden;vertical-align:middle}
progress::-webkit-progress-bar{background:var(--line)}progress::-webkit-progress-value{background:var(--accent)}progress::-moz-progress-bar{background:var(--accent)}
footer{color:var(--soft);font-size:.86rem;padding:1.5rem 0 3rem;border-top:1px solid var(--line);margin-top:3rem}
@media (max-width:42rem){nav{position:static}.hero .wrap{padding-top:1.5rem}.f dl div{grid-template-columns:1fr;gap:0}}
@media print{nav,.tools{display:none}body{background:#fff}.card{box-shadow:none}.many .f{content-visibility:visible}}
`.trim();

/** Only the search needs a script. Without a script, its field stays hidden. */
export const SCRIPT: string = `
(()=>{const q=document.getElementById('q');if(!q)return;const out=document.getElementById('q-out');
const all=[...document.querySelectorAll('#findings .f')];let text;
document.getElementById('q-box').hidden=false;
q.addEventListener('input',()=>{text??=all.map(e=>e.textContent.toLowerCase()+' '+(e.closest('.op')?.querySelector('summary').textContent.toLowerCase()??''));
const words=q.value.toLowerCase().split(/\\s+/).filter(Boolean);let n=0;
all.forEach((e,i)=>{const on=words.every(w=>text[i].includes(w));e.hidden=!on;if(on)n++});
document.querySelectorAll('#findings .op').forEach(d=>{const some=[...d.querySelectorAll('.f')].some(e=>!e.hidden);d.hidden=!some;if(words.length&&some)d.open=true});
out.value=words.length?n+' of '+all.length:''})})();
`.trim();
